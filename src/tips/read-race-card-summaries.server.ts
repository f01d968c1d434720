import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryOf,
} from "#creators/creators.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";

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
