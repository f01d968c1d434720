import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { prepared } from "#platform/database.server.ts";
import { dateFilter, idFilter, readInstantCursor, writeCursor } from "./cursor.server.ts";
import {
  type PreviewRow,
  previewOf,
  RACE_CARD_PREVIEWS,
  type RaceCardPreview,
} from "./race-card-preview.server.ts";

/** The race cards on sale at an instant, soonest off first, from the one after the cursor on. */
export async function listRaceCardsOnSale({
  at,
  venueId = null,
  creatorId = null,
  raceDate = null,
  cursor,
  limit = 20,
}: {
  at: Date;
  venueId?: string | null;
  creatorId?: string | null;
  raceDate?: CalendarDate | null;
  cursor?: string | null;
  limit?: number;
}): Promise<{ raceCards: RaceCardPreview[]; next: string | null }> {
  const after = readInstantCursor(cursor);
  const rows = await prepared<PreviewRow>(
    "race-cards-on-sale",
    `select * from (${RACE_CARD_PREVIEWS}
      where c.race_date >= $2 and k.suspended_at is null and o.closes_at > $1
        and ($3::uuid is null or c.venue_id = $3) and ($4::uuid is null or c.creator_id = $4)
        and ($5::date is null or c.race_date = $5)
    ) f
    where $6::timestamptz is null or (f."sortAt", f.id) > ($6, $7::uuid)
    order by f."sortAt", f.id limit $8`,
    [
      at,
      dateAt(at),
      idFilter(venueId),
      idFilter(creatorId),
      dateFilter(raceDate),
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
    ],
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    raceCards: rows.slice(0, limit).map((row) => previewOf(row, at)),
    next: last ? writeCursor(last.sortAt.getTime(), last.id) : null,
  };
}
