import { dateAt } from "#domain/calendar.ts";
import { queryPrepared } from "#platform/database.server.ts";

/** The number of race cards on sale and of the tips in them, in total and per venue. */
export type OnSaleCount = {
  raceCards: number;
  tips: number;
  venues: { venueId: string; raceCards: number; tips: number }[];
};

/**
 * The race cards on sale at the instant $1 of the date $2, with the number of their tips. Materialised so that no plan
 * reads all race cards: few of them are for today or later.
 */
const ON_SALE = `with coming as materialized (
    select id, venue_id, creator_id, race_date from race_cards where race_date >= $2
  ), on_sale as (
    select c.venue_id, c.creator_id, count(*) as tips
    from coming c
    join creators k on k.user_id = c.creator_id and k.suspended_at is null
    join tips t on t.race_card_id = c.id and t.hidden_at is null
      and t.result is distinct from 'void'
      and not exists (select from tip_scratchings x where x.tip_id = t.id and x.scratched_at is not null)
    left join lateral (
      select o.off_at from race_off_times o where o.venue_id = c.venue_id and o.race_date = c.race_date
        and o.race_number = t.race_number limit 1
    ) r on true
    group by c.id, c.venue_id, c.creator_id, c.race_date
    having assumed_off_at(c.race_date, max(r.off_at), max(t.entered_off_at)) > $1
  )`;

/** Counts the race cards that are on sale at an instant. */
export async function countOnSale(at: Date): Promise<OnSaleCount> {
  const venues = await queryPrepared<OnSaleCount["venues"][number]>(
    "count-on-sale",
    `${ON_SALE}
    select venue_id as "venueId", count(*) as "raceCards", sum(tips)::bigint as tips
    from on_sale group by venue_id order by venue_id`,
    [at, dateAt(at)],
  );
  return {
    raceCards: venues.reduce((sum, venue) => sum + venue.raceCards, 0),
    tips: venues.reduce((sum, venue) => sum + venue.tips, 0),
    venues,
  };
}

/** Counts the race cards on sale at an instant by creator. Creators without one are left out. */
export async function countOnSaleByCreator(at: Date): Promise<Map<string, number>> {
  const rows = await queryPrepared<{ creatorId: string; raceCards: number }>(
    "count-on-sale-by-creator",
    `${ON_SALE}
    select creator_id as "creatorId", count(*) as "raceCards" from on_sale group by creator_id`,
    [at, dateAt(at)],
  );
  return new Map(rows.map(({ creatorId, raceCards }) => [creatorId, raceCards]));
}

/** The tips of a day that can still be bought, and their venues. */
type RemainingToday = { tips: number; venues: number };

/**
 * Counts the tips for the day of an instant that are on sale and whose race has not started, and
 * their venues.
 */
export async function countRemainingToday(at: Date): Promise<RemainingToday> {
  const [remaining] = await queryPrepared<RemainingToday>(
    "count-remaining-today",
    `select count(*) as tips, count(distinct t.venue_id) as venues
    from (
      select c.venue_id, assumed_off_at(c.race_date, r.off_at, i.entered_off_at) as off_at,
        assumed_off_at(c.race_date, max(r.off_at) over card, max(i.entered_off_at) over card)
          as closes_at
      from race_cards c
      join creators k on k.user_id = c.creator_id and k.suspended_at is null
      join tips i on i.race_card_id = c.id and i.hidden_at is null
        and i.result is distinct from 'void'
        and not exists (select from tip_scratchings x where x.tip_id = i.id and x.scratched_at is not null)
      left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
        and r.race_number = i.race_number
      where c.race_date = $2
      window card as (partition by c.id)
    ) t
    where t.off_at > $1 and t.closes_at > $1`,
    [at, dateAt(at)],
  );
  return remaining ?? { tips: 0, venues: 0 };
}
