import * as v from "valibot";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { SURFACES } from "#domain/race-day.ts";
import {
  isFinishingOrder,
  isRunStatus,
  MAX_PLACES_PAID,
  RESULT_STATUSES,
  RUNNER_OUTCOMES,
} from "#domain/race-result.ts";
import { MAX_HORSE_NUMBER } from "#domain/tip.ts";
import { horseNameInput, sourceInput } from "../race-day.input.ts";

const HORSE_NUMBER_MESSAGE = `Horse number must be from 1 to ${MAX_HORSE_NUMBER}`;
const STARTERS_MESSAGE = `Starters must be from 1 to ${MAX_HORSE_NUMBER}`;
const PLACES_MESSAGE = `Places paid must be from 0 to ${MAX_PLACES_PAID}`;

const whole = (min: number, max: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
const cents = v.nullable(whole(1, 100_000_000, "Dividend must be above 0"));

/** The address of the source, or null. */
export const sourceUrlInput = v.nullable(
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(500, "Link must be at most 500 characters long"),
    v.url("Link must be an address that starts with https://"),
    v.regex(/^https?:\/\/[^\s]+$/, "Link must be an address that starts with https://"),
  ),
);

const runner = v.object({
  number: whole(1, MAX_HORSE_NUMBER, HORSE_NUMBER_MESSAGE),
  /** Required for the placed horses where no runners are declared. */
  horseName: v.optional(v.nullable(horseNameInput)),
  outcome: v.picklist(RUNNER_OUTCOMES),
  position: v.nullable(whole(1, MAX_HORSE_NUMBER, "Position must be from 1 to 30")),
  startingPrice: v.nullable(
    v.object({
      numerator: whole(1, 9999, "Starting price is too long"),
      denominator: whole(1, 999, "Starting price is too short"),
    }),
  ),
  winDividendCents: cents,
  placeDividendCents: cents,
});

/**
 * The result of a race as its source reports it. Declared runners that it leaves out finished behind the
 * reported positions or were scratched.
 */
export const raceResultInput = v.pipe(
  v.object({
    status: v.picklist(RESULT_STATUSES, "Select the status of the result"),
    /** The actual off, `HH:MM`. Null defaults to the reported off time if the race was run. */
    time: v.nullable(
      v.pipe(
        v.string(),
        v.check((text) => parseTime(text) !== null, INVALID_OFF_TIME_MESSAGE),
        v.transform((text) => parseTime(text) ?? text),
      ),
    ),
    /** Null defaults to the number of declared runners that started. Required if none are declared. */
    starters: v.nullable(whole(1, MAX_HORSE_NUMBER, STARTERS_MESSAGE)),
    /** Null defaults to the tote's standard number for the starters. */
    placesPaid: v.nullable(whole(0, MAX_PLACES_PAID, PLACES_MESSAGE)),
    /** Undefined defaults to the reported surface; null if it was not reported. */
    surface: v.optional(v.nullable(v.picklist(SURFACES, "Select the surface"))),
    source: sourceInput,
    sourceUrl: sourceUrlInput,
    runners: v.pipe(
      v.array(runner),
      v.check(
        (runners) => new Set(runners.map(({ number }) => number)).size === runners.length,
        "Enter each horse only once",
      ),
      v.check(
        (runners) =>
          runners.every(({ outcome, position }) => outcome === "finished" || position === null),
        "Only a horse that finished has a position",
      ),
      v.check(
        (runners) =>
          runners.every(
            ({ outcome, startingPrice, winDividendCents, placeDividendCents }) =>
              outcome !== "non-runner" ||
              !(startingPrice ?? winDividendCents ?? placeDividendCents),
          ),
        "A non-runner has neither starting price nor dividends",
      ),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        const runners = dataset.value;
        const refuse = (
          index: number,
          key: "winDividendCents" | "placeDividendCents",
          why: string,
        ) => {
          const value = runners[index];
          if (value)
            addIssue({
              message: `Horse ${value.number} ${why}`,
              path: [
                { type: "array", origin: "value", input: runners, key: index, value },
                { type: "object", origin: "value", input: value, key, value: value[key] },
              ],
            });
        };
        for (const [index, runner] of runners.entries()) {
          // In a dead heat for first, each of the horses has a win dividend.
          if (runner.winDividendCents !== null && runner.position !== 1)
            refuse(index, "winDividendCents", "did not win, so it has no win dividend");
          if (runner.placeDividendCents !== null && runner.position === null)
            refuse(index, "placeDividendCents", "was not placed, so it has no place dividend");
        }
      }),
      v.check(
        (runners) => isFinishingOrder(runners),
        "Positions must follow each other: after a dead heat of two for first comes third",
      ),
    ),
    /** Why a confirmed result is corrected. */
    reason: v.optional(
      v.pipe(v.string(), v.trim(), v.maxLength(500, "Reason must be at most 500 characters long")),
      "",
    ),
  }),
  v.check(
    ({ status, runners, starters, placesPaid }) =>
      isRunStatus(status) || (runners.length === 0 && starters === null && !placesPaid),
    "An abandoned or void race has neither order nor places",
  ),
);

export type RaceResultInput = v.InferOutput<typeof raceResultInput>;
