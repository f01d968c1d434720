import { transaction } from "#platform/database.server.ts";
import { readDeclaredRaces } from "../read-declared-races.server.ts";
import { enterRaceResultInTransaction } from "./enter-race-result.server.ts";
import { lockRace } from "./lock-race.server.ts";
import { readOfficialResults, readUnconfirmedResults } from "./read-results.server.ts";
import { readResultAuthors } from "./result-authors.server.ts";

type AbandonedMeeting = {
  venueId: string;
  raceDate: string;
  /** The first race that was not run. */
  firstRaceNumber: number;
  source: string;
  sourceUrl: string | null;
};

export type EnterAbandonedMeetingOutcome =
  /** The races entered as abandoned, which another admin must confirm. */
  | { ok: true; raceNumbers: number[] }
  /** This race and all races after it have a result. */
  | { ok: false; refusal: "no-races" }
  /** This admin has tips in one of the races, and there are admins who have none. */
  | { ok: false; refusal: "has-tips"; raceNumber: number };

/**
 * Enters a race and all later ones of its meeting as abandoned, all or none. Skips races with a confirmed
 * or unconfirmed result, so a repeated call enters nothing.
 */
export async function enterAbandonedMeeting(
  actorId: string,
  { venueId, raceDate, firstRaceNumber, source, sourceUrl }: AbandonedMeeting,
): Promise<EnterAbandonedMeetingOutcome> {
  return await transaction(async (tx): Promise<EnterAbandonedMeetingOutcome> => {
    const meeting = { venueId, raceDate };
    const races = (await readDeclaredRaces(venueId, raceDate, tx)).filter(
      ({ raceNumber }) => raceNumber >= firstRaceNumber,
    );
    // The lock prevents other entries and confirmations until the transaction ends.
    for (const { raceNumber } of races) await lockRace(tx, { ...meeting, raceNumber });
    const [official, unconfirmed] = [
      await readOfficialResults(meeting, tx),
      await readUnconfirmedResults(meeting, tx),
    ];
    const withResult = new Set([...official, ...unconfirmed].map(({ raceNumber }) => raceNumber));
    const raceNumbers = races
      .map(({ raceNumber }) => raceNumber)
      .filter((raceNumber) => !withResult.has(raceNumber));
    if (raceNumbers.length === 0) return { ok: false, refusal: "no-races" };
    for (const raceNumber of raceNumbers)
      if (!(await readResultAuthors({ ...meeting, raceNumber }, tx)).ids.includes(actorId))
        return { ok: false, refusal: "has-tips", raceNumber };
    for (const raceNumber of raceNumbers) {
      const result = {
        status: "abandoned" as const,
        time: null,
        starters: null,
        placesPaid: null,
        source,
        sourceUrl,
        runners: [],
        reason: "",
      };
      const race = { venueId, raceDate, raceNumber };
      const entered = await enterRaceResultInTransaction(tx, actorId, race, result, {
        via: "form",
      });
      if (!entered.ok) throw new Error(`race ${raceNumber}: ${entered.refusal}`);
    }
    return { ok: true, raceNumbers };
  });
}
