import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { readRaceDays, saveRaceDay, type Venue } from "#racing/racing.server.ts";
import type { Meeting } from "./meetings.ts";
import { withLanes } from "./with-lanes.ts";
import type { DemoDay } from "./world.ts";

const SOURCE = "Furlong demo";
const REPORT_TIME = "05:30";

/**
 * Reports the meetings of these days: on the morning before, and again on the morning of the day. What
 * an operator has entered stands.
 */
export async function makeRaceDays(
  days: readonly DemoDay[],
  venues: ReadonlyMap<string, Venue>,
  at: Date,
): Promise<void> {
  await withLanes(
    days,
    (day) => day.raceDate,
    async ({ raceDate, meetings }) => {
      const reported = new Map((await readRaceDays(raceDate)).map((day) => [day.venueId, day]));
      const reportedAt = reportInstant(raceDate, at);
      for (const meeting of meetings) {
        const venue = venues.get(meeting.venueSlug);
        if (!venue) continue;
        const known = reported.get(venue.id);
        if (known && (known.source !== SOURCE || known.reportedAt >= reportedAt)) continue;
        await withClockAt(reportedAt, () => report(venue, meeting));
      }
    },
  );
}

/** The last report that was due: of the day's own morning, or of the morning before this one. */
function reportInstant(raceDate: CalendarDate, at: Date): Date {
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
