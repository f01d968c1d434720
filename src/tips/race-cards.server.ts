import { eq } from "drizzle-orm";
import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryOf,
} from "#creators/creators.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import type { TipResult, TipType } from "#domain/tip.ts";
import { database, prepared } from "#platform/database.server.ts";
import { tips } from "./tables.server.ts";

/** Whose card it is, where and when: what a list of opened or sold cards shows of each. */
export type RaceCardSummary = {
  id: string;
  venue: { id: string; slug: string; name: string; location: string };
  raceDate: CalendarDate;
  publishedAt: Date;
  creator: CreatorSummary;
};

type Row = SummaryRow & {
  id: string;
  venueId: string;
  venueSlug: string;
  venueName: string;
  venueLocation: string;
  raceDate: CalendarDate;
  publishedAt: Date;
};

/** The heads of these race cards, by id, whatever has become of them since. */
export async function readRaceCardSummaries(
  raceCardIds: readonly string[],
): Promise<Map<string, RaceCardSummary>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await prepared<Row>(
    "race-card-heads",
    `select c.id, c.venue_id as "venueId", v.slug as "venueSlug", v.name as "venueName",
      v.location as "venueLocation", c.race_date as "raceDate", c.published_at as "publishedAt",
      ${SUMMARY_COLUMNS}
    from race_cards c
    join venues v on v.id = c.venue_id
    join creators k on k.user_id = c.creator_id
    left join creator_records n on n.creator_id = c.creator_id
    where c.id = any($1::uuid[])`,
    [raceCardIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        venue: {
          id: row.venueId,
          slug: row.venueSlug,
          name: row.venueName,
          location: row.venueLocation,
        },
        raceDate: row.raceDate,
        publishedAt: row.publishedAt,
        creator: summaryOf(row),
      },
    ]),
  );
}

/** What a creator's own card was about, for a list that knows it by id: its races with their horses. */
export type OwnRaceCard = {
  id: string;
  venueName: string;
  raceDate: CalendarDate;
  races: { raceNumber: number; horseNumber: number; horseName: string }[];
};

/** Those of these race cards that the creator has written, by id; anybody else's are not there. */
export async function readOwnRaceCards(
  creatorId: string,
  raceCardIds: readonly string[],
): Promise<Map<string, OwnRaceCard>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await prepared<OwnRaceCard>(
    "own-race-cards",
    `select c.id, v.name as "venueName", c.race_date as "raceDate",
      jsonb_agg(jsonb_build_object('raceNumber', t.race_number, 'horseNumber', t.horse_number,
        'horseName', t.horse_name) order by t.race_number) as races
    from race_cards c
    join venues v on v.id = c.venue_id
    join tips t on t.race_card_id = c.id
    where c.creator_id = $1 and c.id = any($2::uuid[])
    group by c.id, v.name, c.race_date`,
    [creatorId, raceCardIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A race card with what its author selected in it. Not for anybody's eyes before it is public. */
export type RaceCardOfDay = {
  raceCardId: string;
  creatorId: string;
  venueId: string;
  raceDate: CalendarDate;
  tips: {
    id: string;
    raceNumber: number;
    horseNumber: number;
    tipType: TipType;
    result: TipResult | null;
  }[];
};

/** Every race card from one day to another, both included; for the demo, which settles them itself. */
export async function readRaceCardsOfDays(
  from: CalendarDate,
  to: CalendarDate,
): Promise<RaceCardOfDay[]> {
  return await prepared<RaceCardOfDay>(
    "race-cards-of-days",
    `select c.id as "raceCardId", c.creator_id as "creatorId", c.venue_id as "venueId",
      c.race_date as "raceDate", json_agg(json_build_object('id', t.id,
        'raceNumber', t.race_number, 'horseNumber', t.horse_number, 'tipType', t.tip_type,
        'result', t.result) order by t.race_number) as tips
    from race_cards c join tips t on t.race_card_id = c.id
    where c.race_date between $1 and $2
    group by c.id order by c.race_date, c.id`,
    [from, to],
  );
}

/** The race card that a tip belongs to, or null for an id that is nobody's. */
export async function findRaceCardOfTip(tipId: string): Promise<string | null> {
  const [tip] = await database()
    .select({ raceCardId: tips.raceCardId })
    .from(tips)
    .where(eq(tips.id, tipId));
  return tip?.raceCardId ?? null;
}
