import * as v from "valibot";
import { timeAt } from "#domain/calendar.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { compareRaceDays, summariseDifferences } from "./compare-race-days.ts";
import { raceDayInput } from "./race-day.input.ts";
import type { RaceReference } from "./results/read-results.server.ts";
import { lockVenues, mergeRaces, readStoredRaceDay, writeReport } from "./save-race-day.server.ts";

export type RaceChange = {
  /** The off as HH:MM when the form was opened, and as entered. */
  off: { from: string; to: string };
  /** The numbers of the horses to scratch, and of those that run after all. */
  scratch: readonly number[];
  reinstate: readonly number[];
  /** Where the change comes from. */
  source: string;
};

export type ChangeRaceResult =
  /** Each change as text, none if everything was stored already. */
  | { ok: true; changes: string[] }
  | { ok: false; refusal: "unknown-race" }
  | { ok: false; refusal: "unknown-runner"; number: number }
  /** Someone else changed the off too. */
  | { ok: false; refusal: "off-changed"; off: string }
  | { ok: false; refusal: "invalid"; problem: string };

/**
 * Changes the off of a reported race, scratches runners and reinstates them. What others changed in the meantime stays.
 * The source of the day stays too; that of the change is recorded with it.
 */
export async function changeRace(
  actorId: string,
  { venueId, raceDate, raceNumber }: RaceReference,
  { off, scratch, reinstate, source }: RaceChange,
): Promise<ChangeRaceResult> {
  const result = await transaction(async (tx): Promise<ChangeRaceResult> => {
    await lockVenues(tx, [venueId]);
    const stored = await readStoredRaceDay(tx, venueId, raceDate);
    const race = stored?.races.find((each) => each.raceNumber === raceNumber);
    if (!stored || !race) return { ok: false, refusal: "unknown-race" };
    const number = [...scratch, ...reinstate].find(
      (each) => !race.runners.some((runner) => runner.number === each),
    );
    if (number !== undefined) return { ok: false, refusal: "unknown-runner", number };
    const storedOff = timeAt(race.offAt);
    const isOffChanged = off.to !== off.from && off.to !== storedOff;
    if (isOffChanged && off.from !== storedOff)
      return { ok: false, refusal: "off-changed", off: storedOff };
    const races = stored.races.map(({ offAt, ...each }) =>
      each.raceNumber === raceNumber
        ? {
            ...each,
            time: isOffChanged ? off.to : storedOff,
            runners: each.runners.map((runner) => ({
              ...runner,
              isScratched:
                scratch.includes(runner.number) ||
                (runner.isScratched && !reinstate.includes(runner.number)),
            })),
          }
        : { ...each, time: timeAt(offAt) },
    );
    const parsed = v.safeParse(raceDayInput, { ...stored, venueId, raceDate, races });
    if (!parsed.success)
      return { ok: false, refusal: "invalid", problem: parsed.issues[0].message };
    const next = { ...parsed.output, races: mergeRaces(stored.races, parsed.output) };
    const changes = summariseDifferences(compareRaceDays(stored, next));
    if (changes.length === 0) return { ok: true, changes };
    const saved = await writeReport(tx, actorId, parsed.output, { stored, changeSource: source });
    if (!saved.ok) throw new Error(`the race day was refused: ${saved.refusal}`);
    return { ok: true, changes };
  });
  if (result.ok && result.changes.length > 0) await publishUpdate("race-cards");
  return result;
}
