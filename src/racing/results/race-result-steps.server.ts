import type { TipResult } from "#domain/tip.ts";
import type { Tx } from "#platform/database.server.ts";
import type { RaceReference, StoredRaceResult } from "./read-results.server.ts";

/** What the confirmation of a result will change. */
export type ResultEffect = {
  /** The number of tips whose result changes, by the result before and after. Null is a tip without a result. */
  tips: { from: TipResult | null; to: TipResult; count: number }[];
  /** The tips that are settled and keep their result. */
  unchangedTips: number;
  /** The coins that go back to buyers, the sales concerned, and the change of what creators earn, in cents. */
  coins: number;
  sales: number;
  earningsCents: number;
};

/** What later features do when the result of a race is confirmed. */
export type RaceResultSteps = {
  /** Settles the race's tips by the result, and enqueues the coin returns, in the transaction that confirms it. */
  settle: (tx: Tx, result: StoredRaceResult) => Promise<void>;
  /** Enqueues the coin returns of the race again, because earlier ones may have failed. */
  retryCoinReturns: (tx: Tx, race: RaceReference) => Promise<void>;
  /** Settles the race's tips and returns what changed. The transaction must be rolled back. */
  preview: (tx: Tx, result: StoredRaceResult) => Promise<ResultEffect>;
};

type CountMovedTips = (race: RaceReference & { raceDayId: string }) => Promise<number>;

let bound: { steps: RaceResultSteps; countMovedTips: CountMovedTips } | null = null;

/**
 * Binds the steps and the read that the pages need, once for each process: throws if they are bound already.
 * `src/bind-race-result-steps.server.ts` calls it.
 */
export function bindRaceResultSteps(steps: RaceResultSteps, countMovedTips: CountMovedTips): void {
  // Vite loads that file again when one of its imports changes in development.
  if (bound && !import.meta.hot) throw new Error("the steps of a race result are bound already");
  bound = { steps, countMovedTips };
}

function readBound() {
  if (!bound) throw new Error("no steps are bound that settle the result of a race");
  return bound;
}

/** Returns the bound steps. Throws if there are none, so that no result is confirmed without its settlement. */
export function raceResultSteps(): RaceResultSteps {
  return readBound().steps;
}

/** Returns the number of tips that the result will void because the surface of the race was changed. */
export const countMovedTips: CountMovedTips = (race) => readBound().countMovedTips(race);
