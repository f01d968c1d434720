import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { readRaceDays, saveRaceDay, type Venue } from "#racing/racing.server.ts";
import type { DemoDay } from "./demo-days.ts";
import type { Meeting } from "./meetings.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

const SOURCE = "Furlong demo";
const REPORT_TIME = "05:30";

/**
 * Reports the meetings of the given days on the morning before and on the morning of the day. Does
 * not overwrite reports that an admin has entered.
 */
export async function makeRaceDays(
  days: readonly DemoDay[],
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  await runInOrderPerKey(
    days,
    (day) => day.raceDate,
    async ({ raceDate, meetings }) => {
      const reported = new Map((await readRaceDays(raceDate)).map((day) => [day.venueId, day]));
      const reportedAt = reportTime(raceDate, at);
      for (const meeting of meetings) {
        const venue = venues.get(meeting.venueSlug);
        if (!venue) continue;
        const existing = reported.get(venue.id);
        if (existing && (existing.source !== SOURCE || existing.reportedAt >= reportedAt)) continue;
        await withClockAt(reportedAt, () => report(venue, meeting));
      }
    },
  );
}

/**
 * Returns the time of the latest report that is due: the morning of the race day, or the latest one
 * before it.
 */
function reportTime(raceDate: CalendarDate, at: Date): Date {
  let day = raceDate;
  while (instantAt(day, REPORT_TIME) > at) day = addDays(day, -1);
  return instantAt(day, REPORT_TIME);
}

async function report(venue: Venue, meeting: Meeting): Promise<void> {
  const { raceDate, going, weather, weatherDescription } = meeting;
  await saveRaceDay(null, {
    venueId: venue.id,
    raceDate,
    going,
    weather,
    weatherDescription,
    temperatureCelsius: meeting.temperatureCelsius,
    humidityPercent: meeting.humidityPercent,
    windKmh: meeting.windKmh,
    source: SOURCE,
    offTimes: meeting.races.map(({ raceNumber, time }) => ({ raceNumber, time })),
  });
}
