import { addDays, type CalendarDate, dateAt, isCalendarDate } from "#domain/calendar.ts";
import { writeCursor } from "./cursor.server.ts";
import { type PublicTip, readPublicTips } from "./read-public-tips.server.ts";

/** The public tips of one race date, by track and race. */
export type RecordedDay = { raceDate: CalendarDate; tips: PublicTip[] };

/** A page of a creator's public record: whole days, newest first. */
export type PublicRecord = {
  days: RecordedDay[];
  /** The newest race date of the page after this one; null on the last. */
  olderUntil: CalendarDate | null;
};

/** A page ends with the first day that brings it to so many tips. */
const PAGE_TIPS = 30;
/** More tips than one creator has on one day, so that one query nearly always holds a whole page. */
const READ_AT_ONCE = 100;
const LAST_CARD_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Returns the public record of a creator at an instant, from the newest race date that is not after
 * `until` on. A day is never split between two pages. The read is bounded by race date, so that the
 * last page costs what the first costs.
 */
export async function readPublicRecord(
  creatorId: string,
  { at, until }: { at: Date; until?: string | null },
): Promise<PublicRecord> {
  const days: RecordedDay[] = [];
  let count = 0;
  let cursor: string | null =
    until && isCalendarDate(until) ? writeCursor(until, LAST_CARD_ID, 99) : null;
  do {
    const { tips, next } = await readPublicTips({ at, creatorId, cursor, limit: READ_AT_ONCE });
    for (const tip of tips) {
      const day = days.at(-1);
      if (day?.raceDate === tip.raceDate) day.tips.push(tip);
      else if (count >= PAGE_TIPS) return { days: days.map(inOrder), olderUntil: tip.raceDate };
      else days.push({ raceDate: tip.raceDate, tips: [tip] });
      count += 1;
    }
    cursor = next;
  } while (cursor);
  return { days: days.map(inOrder), olderUntil: null };
}

function inOrder({ raceDate, tips }: RecordedDay): RecordedDay {
  return {
    raceDate,
    tips: tips.toSorted(
      (a, b) => a.venueName.localeCompare(b.venueName) || a.raceNumber - b.raceNumber,
    ),
  };
}

/** The race date that a page's address names, or null: the newest days, where it is missing or in the future. */
export function recordUntil(text: string | null, at: Date): CalendarDate | null {
  if (!text || !isCalendarDate(text)) return null;
  return text < addDays(dateAt(at), -1) ? text : null;
}
