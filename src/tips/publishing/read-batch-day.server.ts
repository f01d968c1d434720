import { isCalendarDate, timeAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { readDeclaredRaces } from "#racing/racing.server.ts";
import { readOwnTips } from "../own-tips.server.ts";
import type { BatchDay } from "./batch-result.ts";

/**
 * Returns the details of a venue and day for the batch form; empty lists if the URL's values are
 * invalid.
 */
export async function readBatchDay(
  creatorId: string,
  { venueId, raceDate }: { venueId: string; raceDate: string },
): Promise<BatchDay> {
  if (!isId(venueId) || !isCalendarDate(raceDate))
    return { venueId, raceDate, publishedNumbers: [], offTimes: [], runners: [] };
  const [{ tips }, races] = await Promise.all([
    readOwnTips(creatorId, { at: now(), venueId, raceDate, limit: MAX_RACES }),
    readDeclaredRaces(venueId, raceDate),
  ]);
  return {
    venueId,
    raceDate,
    publishedNumbers: tips.map((tip) => tip.raceNumber).sort((one, other) => one - other),
    offTimes: races.map(({ raceNumber, offAt }) => ({ raceNumber, time: timeAt(offAt) })),
    runners: races.flatMap(({ raceNumber, runners }) =>
      runners.map(({ number, horseName, isScratched }) => ({
        raceNumber,
        number,
        horseName,
        isScratched,
      })),
    ),
  };
}
