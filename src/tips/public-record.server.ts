import { type CalendarDate, dateAt, isCalendarDate } from "#domain/calendar.ts";
import { formatTipCursor } from "./cursor.server.ts";
import {
  type RecordFilter,
  type RecordTip,
  readRecordTips,
  WHOLE_RECORD,
} from "./record-tips.server.ts";

/** The public tips of one race date, sorted by track and race. */
export type RecordDay = { raceDate: CalendarDate; tips: RecordTip[] };

/** A page of a creator's public record: complete days, newest first. */
export type PublicRecord = {
  days: RecordDay[];
  /** The newest race date of the page after this one; null on the last. */
  olderUntil: CalendarDate | null;
};

/** A page ends with the day on which it reaches this many tips. */
const MIN_TIPS_PER_PAGE = 30;
/** Larger than most creators' days, so that one query nearly always returns a complete page. */
const QUERY_LIMIT = 100;
const LAST_CARD_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Returns a page of a creator's public record at an instant, from the race date `until` backwards: all tips, or
 * those that match the filter. A day is never split between two pages. Keyset paging: the last page costs the same
 * as the first.
 */
export async function readPublicRecord(
  creatorId: string,
  { at, until, filter = WHOLE_RECORD }: { at: Date; until?: string | null; filter?: RecordFilter },
): Promise<PublicRecord> {
  const days: RecordDay[] = [];
  let count = 0;
  let cursor: string | null =
    until && isCalendarDate(until)
      ? formatTipCursor({ raceDate: until, raceCardId: LAST_CARD_ID, raceNumber: 99 })
      : null;
  do {
    const { tips, next } = await readRecordTips(creatorId, {
      at,
      filter,
      cursor,
      limit: QUERY_LIMIT,
    });
    for (const tip of tips) {
      const day = days.at(-1);
      if (day?.raceDate === tip.raceDate) day.tips.push(tip);
      else if (count >= MIN_TIPS_PER_PAGE)
        return { days: days.map(sortTips), olderUntil: tip.raceDate };
      else days.push({ raceDate: tip.raceDate, tips: [tip] });
      count += 1;
    }
    cursor = next;
  } while (cursor);
  return { days: days.map(sortTips), olderUntil: null };
}

function sortTips({ raceDate, tips }: RecordDay): RecordDay {
  return {
    raceDate,
    tips: tips.toSorted(
      (a, b) => a.venueName.localeCompare(b.venueName) || a.raceNumber - b.raceNumber,
    ),
  };
}

/**
 * Parses the race date of a page's URL. Returns null (the newest page) if it is missing, invalid or
 * not in the past.
 */
export function parseRecordDate(text: string | null, at: Date): CalendarDate | null {
  if (!text || !isCalendarDate(text)) return null;
  return text < dateAt(at) ? text : null;
}
