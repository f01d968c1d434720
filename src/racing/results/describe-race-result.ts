import { timeAt } from "#domain/calendar.ts";
import { listPositions, type RunnerOutcome } from "#domain/race-result.ts";
import { MAX_HORSE_NUMBER } from "#domain/tip.ts";
import type { RaceReference, StoredRaceResult } from "./read-results.server.ts";

/** Returns the audit subject of a race's results. */
export function formatRaceSubject({ venueId, raceDate, raceNumber }: RaceReference): string {
  return `${venueId} ${raceDate} ${raceNumber}`;
}

/** Returns a result as audit details. */
export function describeRaceResult(result: StoredRaceResult): Record<string, unknown> {
  const listOutcome = (outcome: RunnerOutcome) =>
    result.runners.filter((runner) => runner.outcome === outcome).map(({ number }) => number);
  return {
    race: result.raceNumber,
    version: result.version,
    status: result.status,
    off: result.offAt && timeAt(result.offAt),
    order: formatOrder(listPositions(result.runners, MAX_HORSE_NUMBER)),
    ...(result.hasEnteredNames
      ? {
          names: result.runners.flatMap(({ number, horseName }) =>
            horseName === null ? [] : `${number} ${horseName}`,
          ),
        }
      : {}),
    nonRunners: listOutcome("non-runner"),
    didNotFinish: listOutcome("did-not-finish"),
    disqualified: listOutcome("disqualified"),
    starters: result.starters,
    placesPaid: result.placesPaid,
    ...(result.surface ? { surface: result.surface } : {}),
    source: result.source,
    link: result.sourceUrl,
    via: result.via,
  };
}

/** Formats positions as text that `parseFinishingOrder` can parse: '4 7=9 2'. */
export function formatOrder(positions: readonly (readonly number[])[]): string {
  return positions
    .filter((numbers) => numbers.length > 0)
    .map((numbers) => numbers.join("="))
    .join(" ");
}
