import { and, asc, eq, inArray, sql } from "drizzle-orm";
import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toCreatorSummary,
} from "#creators/creators.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import type { Tip } from "#domain/tip.ts";
import { database, queryPrepared, type Tx } from "#platform/database.server.ts";
import type { RaceReference } from "#racing/racing.server.ts";
import { raceCards, tips } from "./tables.server.ts";

/** The creator, venue and date of a race card, for lists of opened or sold race cards. */
export type RaceCardSummary = {
  id: string;
  venue: { id: string; slug: string; name: string; location: string };
  raceDate: CalendarDate;
  publishedAt: Date;
  creator: CreatorSummary;
};

/** A row selected with RACE_CARD_SUMMARY_COLUMNS. */
export type RaceCardSummaryRow = SummaryRow & {
  id: string;
  venueId: string;
  venueSlug: string;
  venueName: string;
  venueLocation: string;
  raceDate: CalendarDate;
  publishedAt: Date;
};

/** The columns of a race card `c`, its venue `v`, its creator `k` and the creator's record `n`. */
export const RACE_CARD_SUMMARY_COLUMNS = `
  c.id, c.venue_id as "venueId", v.slug as "venueSlug", v.name as "venueName",
  v.location as "venueLocation", c.race_date as "raceDate", c.published_at as "publishedAt",
  ${SUMMARY_COLUMNS}`;

export function toRaceCardSummary(row: RaceCardSummaryRow): RaceCardSummary {
  return {
    id: row.id,
    venue: {
      id: row.venueId,
      slug: row.venueSlug,
      name: row.venueName,
      location: row.venueLocation,
    },
    raceDate: row.raceDate,
    publishedAt: row.publishedAt,
    creator: toCreatorSummary(row),
  };
}

/** Returns the summaries of these race cards by id, whether or not they are still on sale. */
export async function readRaceCardSummaries(
  raceCardIds: readonly string[],
): Promise<Map<string, RaceCardSummary>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await queryPrepared<RaceCardSummaryRow>(
    "race-card-summaries",
    `select ${RACE_CARD_SUMMARY_COLUMNS}
    from race_cards c
    join venues v on v.id = c.venue_id
    join creators k on k.user_id = c.creator_id
    left join creator_records n on n.creator_id = c.creator_id
    where c.id = any($1::uuid[])`,
    [raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, toRaceCardSummary(row)]));
}

/** Why a race card has no selection to sell: all are hidden, or those that are not hidden are void or scratched. */
export type UnsoldReason = "hidden" | "void" | "scratched";

/** A race card, whether or not it has a public preview. */
type RaceCardStatus = RaceCardSummary & {
  /** Null while it has a selection to sell, and then a preview. */
  unsoldReason: UnsoldReason | null;
  /** True when the creator is suspended. */
  isSuspended: boolean;
};

/** Returns a race card and why it has no selection to sell; null for an unknown race card. */
export async function readRaceCardStatus(raceCardId: string): Promise<RaceCardStatus | null> {
  const [row] = await queryPrepared<
    RaceCardSummaryRow & { isSuspended: boolean; shown: number; void: number; forSale: number }
  >(
    "race-card-status",
    `select ${RACE_CARD_SUMMARY_COLUMNS}, k.suspended_at is not null as "isSuspended", o.*
    from race_cards c
    join venues v on v.id = c.venue_id
    join creators k on k.user_id = c.creator_id
    left join creator_records n on n.creator_id = c.creator_id
    cross join lateral (
      select count(*) as shown, count(*) filter (where t.result = 'void') as void,
        count(*) filter (where t.result is distinct from 'void' and not exists (
          select from tip_scratchings x where x.tip_id = t.id and x.scratched_at is not null
        )) as "forSale"
      from tips t where t.race_card_id = c.id and t.hidden_at is null
    ) o
    where c.id = $1`,
    [raceCardId],
  );
  if (!row) return null;
  const { shown, forSale, isSuspended } = row;
  const unsoldReason =
    shown === 0 ? "hidden" : forSale > 0 ? null : row.void === shown ? "void" : "scratched";
  return { ...toRaceCardSummary(row), unsoldReason, isSuspended };
}

/** Returns what names a race card in a sentence, inside a transaction; null for an unknown race card. */
export async function readRaceCardName(
  tx: Tx,
  raceCardId: string,
): Promise<{ id: string; venue: string; tipster: string } | null> {
  const { rows } = await tx.execute<{ id: string; venue: string; tipster: string }>(sql`
    select c.id, v.name as venue, k.display_name as tipster
    from race_cards c join venues v on v.id = c.venue_id join creators k on k.user_id = c.creator_id
    where c.id = ${raceCardId}`);
  return rows[0] ?? null;
}

/** A creator's own race card: its races with their horses. */
export type OwnRaceCard = {
  id: string;
  venueName: string;
  raceDate: CalendarDate;
  races: Pick<Tip, "raceNumber" | "horseNumber" | "horseName">[];
};

const OWN_RACE_CARDS_SQL = `select c.id, v.name as "venueName", c.race_date as "raceDate",
    jsonb_agg(jsonb_build_object('raceNumber', t.race_number, 'horseNumber', t.horse_number,
      'horseName', t.horse_name) order by t.race_number) as races
  from race_cards c
  join venues v on v.id = c.venue_id
  join tips t on t.race_card_id = c.id`;

/**
 * Returns the race cards with these ids that the creator has published, by id.
 */
export async function readOwnRaceCards(
  creatorId: string,
  raceCardIds: readonly string[],
): Promise<Map<string, OwnRaceCard>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await queryPrepared<OwnRaceCard>(
    "own-race-cards",
    `${OWN_RACE_CARDS_SQL} where c.creator_id = $1 and c.id = any($2::uuid[])
     group by c.id, v.name, c.race_date`,
    [creatorId, raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the race cards that the creator has published for these days, both inclusive, newest day first. */
export async function readOwnRaceCardsBetween(
  creatorId: string,
  { from, to }: { from: CalendarDate; to: CalendarDate },
): Promise<OwnRaceCard[]> {
  return await queryPrepared<OwnRaceCard>(
    "own-race-cards-between",
    `${OWN_RACE_CARDS_SQL} where c.creator_id = $1 and c.race_date between $2 and $3
     group by c.id, v.name, c.race_date order by c.race_date desc, v.name, c.id`,
    [creatorId, from, to],
  );
}

/** Returns the first and the last race date of a creator's race cards; null before the first one. */
export async function readOwnRaceDates(
  creatorId: string,
): Promise<{ first: CalendarDate; last: CalendarDate } | null> {
  const [row] = await queryPrepared<{ first: CalendarDate | null; last: CalendarDate | null }>(
    "own-race-dates",
    "select min(race_date) as first, max(race_date) as last from race_cards where creator_id = $1",
    [creatorId],
  );
  return row?.first && row.last ? { first: row.first, last: row.last } : null;
}

/** A race card with its selections, which are secret until they are public. */
export type RaceCardWithTips = {
  raceCardId: string;
  creatorId: string;
  venueId: string;
  raceDate: CalendarDate;
  tips: Pick<Tip, "id" | "raceNumber" | "horseNumber" | "tipType" | "result">[];
};

/**
 * Returns every race card between two dates, both inclusive. The demo settles them.
 */
export async function readRaceCardsBetween(
  firstDate: CalendarDate,
  lastDate: CalendarDate,
): Promise<RaceCardWithTips[]> {
  return await queryPrepared<RaceCardWithTips>(
    "race-cards-of-days",
    `select c.id as "raceCardId", c.creator_id as "creatorId", c.venue_id as "venueId",
      c.race_date as "raceDate", json_agg(json_build_object('id', t.id,
        'raceNumber', t.race_number, 'horseNumber', t.horse_number, 'tipType', t.tip_type,
        'result', t.result) order by t.race_number) as tips
    from race_cards c join tips t on t.race_card_id = c.id
    where c.race_date between $1 and $2
    group by c.id order by c.race_date, c.id`,
    [firstDate, lastDate],
  );
}

/** Returns the id of the race card that a tip belongs to; null for an unknown tip. */
export async function findRaceCardOfTip(tipId: string): Promise<string | null> {
  const [tip] = await database()
    .select({ raceCardId: tips.raceCardId })
    .from(tips)
    .where(eq(tips.id, tipId));
  return tip?.raceCardId ?? null;
}

/** Returns the ids of the race cards that contain these tips, in order. */
export async function readRaceCardsOfTips(tx: Tx, tipIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ raceCardId: tips.raceCardId })
    .from(tips)
    .where(inArray(tips.id, [...tipIds]))
    .orderBy(asc(tips.raceCardId));
  return rows.map((row) => row.raceCardId);
}

/** Returns the ids of the race cards with a tip for a race, in order. */
export async function readRaceCardsOfRace(
  tx: Tx,
  { venueId, raceDate, raceNumber }: RaceReference,
): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ id: raceCards.id })
    .from(raceCards)
    .innerJoin(tips, eq(tips.raceCardId, raceCards.id))
    .where(
      and(
        eq(raceCards.venueId, venueId),
        eq(raceCards.raceDate, raceDate),
        eq(tips.raceNumber, raceNumber),
      ),
    )
    .orderBy(asc(raceCards.id));
  return rows.map((row) => row.id);
}

/** Returns the ids of the tips in this list whose result is void. */
export async function readVoidTips(tipIds: readonly string[], tx?: Tx): Promise<Set<string>> {
  const rows = await (tx ?? database())
    .select({ id: tips.id })
    .from(tips)
    .where(and(inArray(tips.id, [...tipIds]), eq(tips.result, "void")));
  return new Set(rows.map((row) => row.id));
}
