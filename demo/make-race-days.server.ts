import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { withClockAt } from "#platform/clock.server.ts";
import { type FileRace, readRaceDays, saveRaceDay, type Venue } from "#racing/racing.server.ts";
import type { DemoDay } from "./demo-days.ts";
import type { Meeting } from "./meetings.ts";
import { DEMO_SOURCE, planDeclarations } from "./planned-declarations.ts";
import { hasDeclaredRunners } from "./planned-results.ts";
import { runInOrderPerKey } from "./run-in-order-per-key.ts";

const REPORT_TIME = "05:30";

/**
 * Reports the meetings of the given days, first on the morning before and again on the morning of the day. Adds
 * the declared runners. Does not overwrite reports that an admin has entered. With
 * `isFirst`, reports only meetings without a report, as before their scratchings, because tips are published then.
 */
export async function makeRaceDays(
  days: readonly DemoDay[],
  venues: ReadonlyMap<string, Venue>,
  at: Date,
  { isFirst = false }: { isFirst?: boolean } = {},
): Promise<void> {
  await runInOrderPerKey(
    days,
    (day) => day.raceDate,
    async ({ raceDate, meetings }) => {
      const reported = new Map((await readRaceDays(raceDate)).map((day) => [day.venueId, day]));
      const declared = planDeclarations(raceDate);
      for (const meeting of meetings) {
        const venue = venues.get(meeting.venueSlug);
        if (!venue) continue;
        const existing = reported.get(venue.id);
        const isDeclared = hasDeclaredRunners(meeting, at);
        // Without declared runners, none of them is scratched.
        const isScratchedLater = isDeclared && hasScratchings(meeting);
        const reportedAt = isFirst
          ? findFirstReportTime(raceDate, at, { isScratchedLater })
          : findLatestReportTime(raceDate, at);
        if (
          existing &&
          (isFirst ||
            existing.source !== DEMO_SOURCE ||
            existing.reportedAt >= reportedAt ||
            // A past day needs no second report unless it has scratchings.
            (raceDate < dateAt(at) && !isScratchedLater))
        )
          continue;
        const races = isDeclared
          ? (declared.find((each) => each.venue === meeting.venueSlug)?.races ?? [])
          : [];
        await withClockAt(reportedAt, () =>
          report(venue, meeting, races, isRaceDayAt(raceDate, reportedAt)),
        );
      }
    },
  );
}

function hasScratchings({ races }: Meeting): boolean {
  return races.some(({ scratched }) => scratched !== null);
}

function isRaceDayAt(raceDate: CalendarDate, reportedAt: Date): boolean {
  return reportedAt >= instantAt(raceDate, REPORT_TIME);
}

/** Returns the time of the latest report before the scratchings. */
function findFirstReportTime(
  raceDate: CalendarDate,
  at: Date,
  { isScratchedLater }: { isScratchedLater: boolean },
): Date {
  const latest = findLatestReportTime(raceDate, at);
  return isScratchedLater && isRaceDayAt(raceDate, latest)
    ? instantAt(addDays(raceDate, -1), REPORT_TIME)
    : latest;
}

/**
 * Returns the time of the latest report that is due: the morning of the race day, or the latest one
 * before it.
 */
function findLatestReportTime(raceDate: CalendarDate, at: Date): Date {
  let day = raceDate;
  while (instantAt(day, REPORT_TIME) > at) day = addDays(day, -1);
  return instantAt(day, REPORT_TIME);
}

/** Reports a meeting: the `declared` races with their runners, or only the off times. */
async function report(
  venue: Venue,
  meeting: Meeting,
  declared: readonly FileRace[],
  isRaceDay: boolean,
): Promise<void> {
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
    source: DEMO_SOURCE,
    races: meeting.races.map(({ raceNumber, time, scratched }) => {
      const race = declared.find((each) => each.raceNumber === raceNumber);
      if (!race) return { raceNumber, time };
      const { name, distanceMetres, surface } = race;
      const runners = race.runners.map(({ horseName, ...runner }) => ({
        ...runner,
        horseName: horseName ?? "",
        isScratched: isRaceDay && runner.number === scratched,
      }));
      return { raceNumber, time, name, distanceMetres, surface, runners };
    }),
  });
}
