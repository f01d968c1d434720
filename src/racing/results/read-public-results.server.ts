import type { CalendarDate } from "#domain/calendar.ts";
import { ENTERED_POSITIONS, type ResultStatus } from "#domain/race-result.ts";
import { formatPosition } from "../format-position.ts";
import { readOfficialResults } from "./read-results.server.ts";

/** The public part of a race's official result. */
export type PublicResult = {
  raceNumber: number;
  status: Exclude<ResultStatus, "unofficial">;
  /** The first three horses, or more if the tote paid more places. Empty for a race that was not run. */
  order: { position: string; number: number; horseName: string | null }[];
  /** The numbers of horses that did not start. */
  nonRunners: number[];
  source: string;
  sourceUrl: string | null;
  isEnteredByOnePerson: boolean;
  /** Why an earlier version was corrected, or null. */
  correctedBecause: string | null;
};

/** Returns the official results of a meeting by race number. */
export async function readPublicResults(meeting: {
  venueId: string;
  raceDate: CalendarDate;
}): Promise<PublicResult[]> {
  const results = await readOfficialResults(meeting);
  return results.map(
    ({ raceNumber, status, placesPaid, runners, source, sourceUrl, version, ...result }) => ({
      raceNumber,
      // Unofficial results are never confirmed.
      status: status === "unofficial" ? "official" : status,
      order: runners
        .filter(
          ({ position }) =>
            position !== null && position <= Math.max(placesPaid, ENTERED_POSITIONS),
        )
        .map(({ number, horseName, position, outcome }) => ({
          position: formatPosition({ position, outcome }, runners),
          number,
          horseName,
        })),
      nonRunners: runners
        .filter(({ outcome }) => outcome === "non-runner")
        .map(({ number }) => number),
      source,
      sourceUrl,
      isEnteredByOnePerson: result.isEnteredByOnePerson,
      correctedBecause: version > 1 ? result.reason : null,
    }),
  );
}
