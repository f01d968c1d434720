import { type CreatorHead, HEAD_COLUMNS, type HeadRow, headOf } from "#creators/creators.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";

/** Whose card it is, where and when: what a list of opened or sold cards shows of each. */
export type RaceCardHead = {
  id: string;
  venue: { id: string; slug: string; name: string; location: string };
  raceDate: CalendarDate;
  publishedAt: Date;
  creator: CreatorHead;
};

type Row = HeadRow & {
  id: string;
  venueId: string;
  venueSlug: string;
  venueName: string;
  venueLocation: string;
  raceDate: CalendarDate;
  publishedAt: Date;
};

/** The heads of these race cards, by id, whatever has become of them since. */
export async function readRaceCardHeads(
  raceCardIds: readonly string[],
): Promise<Map<string, RaceCardHead>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await prepared<Row>(
    "race-card-heads",
    `select c.id, c.venue_id as "venueId", v.slug as "venueSlug", v.name as "venueName",
      v.location as "venueLocation", c.race_date as "raceDate", c.published_at as "publishedAt",
      ${HEAD_COLUMNS}
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
        creator: headOf(row),
      },
    ]),
  );
}
