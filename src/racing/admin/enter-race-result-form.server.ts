import { redirect } from "react-router";
import * as v from "valibot";
import { formError, withFormError } from "#admin-kit/admin-kit.server.ts";
import {
  INVALID_DIVIDEND_MESSAGE,
  INVALID_PRICE_MESSAGE,
  isRunStatus,
  parseDividend,
  parseFinishingOrder,
  parseStartingPrice,
  RESULT_STATUSES,
  type RunnerOutcome,
  type StartingPrice,
  toPlaced,
} from "#domain/race-result.ts";
import { MAX_HORSE_NUMBER } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { readField } from "#platform/parse-form.ts";
import { enterRaceResult } from "../results/enter-race-result.server.ts";
import { findNextRaceWithoutResult } from "../results/list-races-for-results.server.ts";
import { raceResultInput } from "../results/race-result.input.ts";
import type { RaceReference } from "../results/read-results.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";

/** Not all rows are fields: some have the starting price or the name of a horse that a correction keeps. */
const MAX_ROWS = 2 * MAX_HORSE_NUMBER;

const INVALID_NUMBERS_MESSAGE = "Enter horse numbers with spaces between them, such as 4 9 7";

const REFUSALS = {
  "unknown-race": ["This race is no longer on the race day.", 404],
  "too-early": [
    "This race is not off yet. Only an abandoned race can be entered before its off.",
    409,
  ],
  "has-tips": [HAS_TIPS_MESSAGE, 403],
  unchanged: ["This is what the official result says already. Nothing was saved.", 409],
} as const;

/** Handles the race result form. Redirects to the next race without a result, or back to the list. */
export async function enterRaceResultForm(actorId: string, form: FormData, race: RaceReference) {
  const refused = await saveRaceResult(actorId, form, race);
  if (refused) return refused;
  throw redirect(await findNextPath(race));
}

/** Saves the result of a race from its fields. Returns null, or the error response if it was not saved. */
export async function saveRaceResult(actorId: string, form: FormData, race: RaceReference) {
  const { input, errors, numbers, findRow } = readResult(form);
  if (Object.keys(errors).length > 0) return formError(form, { errors });
  const parsed = v.safeParse(raceResultInput, input);
  if (!parsed.success)
    return formError(form, { errors: toFieldErrors(parsed.issues, numbers.map(findRow)) });
  return await withFormError(form, "Failed to save the result", async () => {
    const outcome = await enterRaceResult(actorId, race, parsed.output, {
      via: "form",
      replaces: readField(form, "replaces") || null,
    });
    if (outcome.ok) return null;
    if (outcome.refusal === "invalid")
      return formError(form, { errors: { order: `${outcome.problems.join(". ")}.` } });
    if (outcome.refusal === "names-missing")
      return formError(form, {
        errors: Object.fromEntries(
          outcome.numbers.map((number) => [
            `name-${findRow(number)}`,
            `Enter the name of horse ${number}`,
          ]),
        ),
      });
    if (outcome.refusal === "reason-missing")
      return formError(form, { errors: { reason: "Enter the reason for the correction" } });
    if (outcome.refusal === "other-surface")
      return formError(form, {
        errors: { surface: "The race day says another surface. Correct it there first" },
      });
    if (outcome.refusal === "unconfirmed")
      return formError(form, {
        message:
          "Another result of this race was saved and waits for confirmation. Yours was not saved. Discard the other one first, or confirm it.",
        status: 409,
      });
    const [message, status] = REFUSALS[outcome.refusal];
    return formError(form, { message, status });
  });
}

async function findNextPath(race: RaceReference): Promise<string> {
  const saved = `saved=${race.raceNumber}`;
  const next = await findNextRaceWithoutResult(race, now());
  return next === null
    ? `/admin/results?${saved}`
    : `/admin/results/${race.venueId}/${race.raceDate}/${next}?${saved}`;
}

type Errors = Record<string, string>;

type ReadResult = {
  input: unknown;
  errors: Errors;
  /** The number of each runner of the input. */
  numbers: number[];
  findRow: (number: number) => number | null;
};

/**
 * Parses the form. A row with a name and prices belongs to the horse that it states, or without JavaScript to the nth
 * horse of the finishing order. `findRow` returns the row of a horse, counted from 1.
 */
function readResult(form: FormData): ReadResult {
  const errors: Errors = {};
  const status = RESULT_STATUSES.find((each) => each === readField(form, "status")) ?? "";
  const readWhole = (name: string) => {
    const text = readField(form, name).trim();
    return text === "" ? null : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  };
  const shared = {
    status,
    time: readField(form, "off").trim() || null,
    ...(form.has("surface") ? { surface: readField(form, "surface") || null } : {}),
    source: readField(form, "source"),
    sourceUrl: readField(form, "sourceUrl").trim() || null,
    reason: readField(form, "reason"),
  };
  // Ignores the other fields, which may still be filled in from an earlier choice of status.
  if (status !== "" && !isRunStatus(status))
    return {
      input: {
        ...shared,
        time: null,
        surface: undefined,
        starters: null,
        placesPaid: null,
        runners: [],
      },
      errors,
      numbers: [],
      findRow: () => null,
    };
  const readNumbers = (name: string) => {
    const order = parseFinishingOrder(readField(form, name));
    if (order === null) errors[name] = INVALID_NUMBERS_MESSAGE;
    return order ?? [];
  };
  const readPriced = <Value>(
    name: string,
    parse: (text: string) => Value | null,
    message: string,
  ) => {
    const text = readField(form, name).trim();
    if (text === "" || text === "-") return null;
    const value = parse(text);
    if (value === null) errors[name] = message;
    return value;
  };
  const finishers = toPlaced(readNumbers("order"));
  const rowHorses = Array.from(
    { length: MAX_ROWS },
    (_, index) => Number(readField(form, `horse-${index + 1}`)) || finishers[index]?.number,
  );
  const detailsByHorse = new Map<number, Details>();
  for (let row = 1; row <= MAX_ROWS; row += 1) {
    const details = {
      horseName: readField(form, `name-${row}`).trim() || null,
      startingPrice: readPriced(`price-${row}`, parseStartingPrice, INVALID_PRICE_MESSAGE),
      winDividendCents: readPriced(`win-${row}`, parseDividend, INVALID_DIVIDEND_MESSAGE),
      placeDividendCents: readPriced(`place-${row}`, parseDividend, INVALID_DIVIDEND_MESSAGE),
    };
    if (Object.values(details).every((value) => value === null)) continue;
    const number = rowHorses[row - 1];
    if (number === undefined)
      errors[details.horseName === null ? `price-${row}` : `name-${row}`] ??= NO_HORSE_MESSAGE;
    else detailsByHorse.set(number, details);
  }
  const others = (name: string, outcome: RunnerOutcome) =>
    readNumbers(name)
      .flat()
      .map((number) => ({ number, outcome, position: null }));
  const nonRunners = others("nonRunners", "non-runner");
  const entered = [
    ...finishers.map((runner) => ({ ...runner, outcome: "finished" })),
    ...others("didNotFinish", "did-not-finish"),
    ...others("disqualified", "disqualified"),
  ];
  for (const { number } of nonRunners) detailsByHorse.delete(number);
  const numbers = new Set(entered.map(({ number }) => number));
  const unplaced = [...detailsByHorse.keys()]
    .filter((number) => !numbers.has(number))
    .map((number) => ({ number, outcome: "finished", position: null }));
  const runners = [...entered, ...unplaced, ...nonRunners].map((runner) => ({
    ...runner,
    ...(detailsByHorse.get(runner.number) ?? NO_DETAILS),
  }));
  return {
    input: {
      ...shared,
      starters: readWhole("starters"),
      placesPaid: readWhole("placesPaid"),
      runners,
    },
    errors,
    numbers: runners.map(({ number }) => number),
    findRow: (number) =>
      finishers.findIndex((finisher) => finisher.number === number) + 1 ||
      rowHorses.indexOf(number) + 1 ||
      null,
  };
}

type Details = {
  horseName: string | null;
  startingPrice: StartingPrice | null;
  winDividendCents: number | null;
  placeDividendCents: number | null;
};
const NO_DETAILS: Details = {
  horseName: null,
  startingPrice: null,
  winDividendCents: null,
  placeDividendCents: null,
};
const NO_HORSE_MESSAGE = "No horse is entered for this finishing position";

const FIELD_NAMES: Readonly<Record<string, string>> = { time: "off", runners: "order" };
const ROW_FIELD_NAMES: Readonly<Record<string, string>> = {
  horseName: "name",
  startingPrice: "price",
  winDividendCents: "win",
  placeDividendCents: "place",
};

function toFieldErrors(
  issues: readonly v.BaseIssue<unknown>[],
  rows: readonly (number | null)[],
): Errors {
  const errors: Errors = {};
  for (const { path, message } of issues) {
    const [field = "order", index, runnerField] = path?.map(({ key }) => String(key)) ?? [];
    const rowField = ROW_FIELD_NAMES[runnerField ?? ""];
    const row = rows[Number(index)];
    const name = rowField && row ? `${rowField}-${row}` : (FIELD_NAMES[field] ?? field);
    errors[name] ??= message;
  }
  return errors;
}
