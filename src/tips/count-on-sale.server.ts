import { dateAt } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";
import { closesAt } from "./race-card-preview.server.ts";

/** What is on sale at an instant: cards and the tips in them, in all and venue by venue. */
export type OnSaleCount = {
  raceCards: number;
  tips: number;
  venues: { venueId: string; raceCards: number; tips: number }[];
};

/** Counts what is on sale at an instant. */
export async function countOnSale(at: Date): Promise<OnSaleCount> {
  const venues = await prepared<OnSaleCount["venues"][number]>(
    "count-on-sale",
    // The cards of these days first: they are few, and no plan may think of reading all cards or races.
    `with coming as materialized (
      select id, venue_id, creator_id, race_date from race_cards where race_date >= $2
    )
    select f.venue_id as "venueId", count(*) as "raceCards", sum(f.tips)::bigint as tips
    from (
      select c.venue_id, count(*) as tips
      from coming c
      join creators k on k.user_id = c.creator_id and k.suspended_at is null
      join tips t on t.race_card_id = c.id and t.hidden_at is null
        and t.result is distinct from 'void'
      left join lateral (
        select o.off_at from race_offs o where o.venue_id = c.venue_id and o.race_date = c.race_date
          and o.race_number = t.race_number limit 1
      ) r on true
      group by c.id, c.venue_id, c.race_date
      having ${closesAt("r.off_at", "t.given_off_at")} > $1
    ) f group by f.venue_id order by f.venue_id`,
    [at, dateAt(at)],
  );
  return {
    raceCards: venues.reduce((sum, venue) => sum + venue.raceCards, 0),
    tips: venues.reduce((sum, venue) => sum + venue.tips, 0),
    venues,
  };
}
