import type { AsJson } from "#domain/as-json.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import type { Tip } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";

/** A tip of a creator's own race card that has not been hidden, as the race card shows it in a strip. */
export type OwnRace = AsJson<
  Pick<Tip, "raceNumber" | "offAt" | "horseNumber" | "horseName"> & {
    /** When its horse was scratched; null while it runs. */
    scratchedAt: Date | null;
  }
>;

/** A creator's own race card of today or later, with the state of its sale. */
export type OwnDayCard = {
  id: string;
  venueId: string;
  venueName: string;
  raceDate: CalendarDate;
  races: OwnRace[];
  /** When it goes off sale: at the last off that is known, otherwise at the assumed one. */
  closesAt: Date;
  /** False if the creator is suspended, or every tip is hidden, void or scratched. */
  isSold: boolean;
};

const OWN_CARDS_SQL = `select c.id, c.venue_id as "venueId", v.name as "venueName", c.race_date as "raceDate",
       o.closes_at as "closesAt", not o.is_suspended and cardinality(o.tip_ids) > 0 as "isSold",
       jsonb_agg(jsonb_build_object('raceNumber', t.race_number,
         'offAt', coalesce(r.off_at, t.entered_off_at), 'horseNumber', t.horse_number,
         'horseName', t.horse_name, 'scratchedAt', x.scratched_at) order by t.race_number) as races
     from race_cards c
     join race_card_offers o on o.race_card_id = c.id
     join venues v on v.id = c.venue_id
     join tips t on t.race_card_id = c.id and t.hidden_at is null
     left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
       and r.race_number = t.race_number
     left join tip_scratchings x on x.tip_id = t.id`;
const GROUPED_SQL = `group by c.id, v.name, o.closes_at, o.is_suspended, o.tip_ids
     order by c.race_date, o.closes_at, v.name, c.id`;

/** Returns a creator's race cards of a day and later, soonest first. */
export async function readOwnCardsFrom(
  creatorId: string,
  firstDate: CalendarDate,
): Promise<OwnDayCard[]> {
  return await queryPrepared<OwnDayCard>(
    "own-cards-from",
    `${OWN_CARDS_SQL} where c.creator_id = $1 and c.race_date >= $2 ${GROUPED_SQL}`,
    [creatorId, firstDate],
  );
}

/** Returns a creator's own race card; null if it is unknown, another creator's or hidden. */
export async function readOwnCard(
  creatorId: string,
  raceCardId: string,
): Promise<OwnDayCard | null> {
  if (!isId(raceCardId)) return null;
  const [raceCard] = await queryPrepared<OwnDayCard>(
    "own-card",
    `${OWN_CARDS_SQL} where c.creator_id = $1 and c.id = $2 ${GROUPED_SQL}`,
    [creatorId, raceCardId],
  );
  return raceCard ?? null;
}
