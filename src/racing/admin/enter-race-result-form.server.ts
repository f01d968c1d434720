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
} from "#domain/race-result.ts";
import { MAX_HORSE_NUMBER } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { readField } from "#platform/parse-form.ts";
import { enterRaceResult } from "../results/enter-race-result.server.ts";
import { findNextRaceWithoutResult } from "../results/list-races-for-results.server.ts";
import { raceResultInput } from "../results/race-result.input.ts";
import type { RaceReference } from "../results/read-results.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";

/** The number of form rows for prices and dividends. */
export const PRICE_ROWS = 6;
/** The rows after those of the form have starting prices that a correction keeps. */
const MAX_PRICE_ROWS = PRICE_ROWS + MAX_HORSE_NUMBER;

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
  const { input, errors, rows } = readResult(form);
  if (Object.keys(errors).length > 0) return formError(form, { errors });
  const parsed = v.safeParse(raceResultInput, input);
  if (!parsed.success) return formError(form, { errors: toFieldErrors(parsed.issues, rows) });
  return await withFormError(form, "Failed to save the result", async () => {
    const outcome = await enterRaceResult(actorId, race, parsed.output, {
      via: "form",
      replaces: readField(form, "replaces") || null,
    });
    if (outcome.ok) throw redirect(await findNextPath(race));
    if (outcome.refusal === "invalid")
      return formError(form, { errors: { order: `${outcome.problems.join(". ")}.` } });
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

/**
 * Parses the form. A price row belongs to the horse that it names, or without JavaScript to the nth horse of the finishing
 * order. `rows` has the price row of each runner of the input.
 */
function readResult(form: FormData): { input: unknown; errors: Errors; rows: (number | null)[] } {
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
      rows: [],
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
  const order = readNumbers("order");
  let position = 1;
  const finishers = order.flatMap((numbers) => {
    const placed = numbers.map((number) => ({ number, position }));
    position += numbers.length;
    return placed;
  });
  const pricesByHorse = new Map<number, Prices & { row: number }>();
  for (let row = 1; row <= MAX_PRICE_ROWS; row += 1) {
    const prices = {
      row,
      startingPrice: readPriced(`price-${row}`, parseStartingPrice, INVALID_PRICE_MESSAGE),
      winDividendCents: readPriced(`win-${row}`, parseDividend, INVALID_DIVIDEND_MESSAGE),
      placeDividendCents: readPriced(`place-${row}`, parseDividend, INVALID_DIVIDEND_MESSAGE),
    };
    if (!(prices.startingPrice ?? prices.winDividendCents ?? prices.placeDividendCents)) continue;
    const number = Number(readField(form, `horse-${row}`)) || finishers[row - 1]?.number;
    if (number === undefined) errors[`price-${row}`] ??= NO_HORSE_MESSAGE;
    else pricesByHorse.set(number, prices);
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
  for (const { number } of nonRunners) pricesByHorse.delete(number);
  const numbers = new Set(entered.map(({ number }) => number));
  const unplaced = [...pricesByHorse.keys()]
    .filter((number) => !numbers.has(number))
    .map((number) => ({ number, outcome: "finished", position: null }));
  const runners = [...entered, ...unplaced, ...nonRunners].map((runner) => {
    const { row = null, ...prices } = pricesByHorse.get(runner.number) ?? UNPRICED;
    return { row, runner: { ...runner, ...prices } };
  });
  return {
    input: {
      ...shared,
      starters: readWhole("starters"),
      placesPaid: readWhole("placesPaid"),
      runners: runners.map(({ runner }) => runner),
    },
    errors,
    rows: runners.map(({ row }) => row),
  };
}

type Prices = {
  startingPrice: StartingPrice | null;
  winDividendCents: number | null;
  placeDividendCents: number | null;
};
const UNPRICED: Prices & { row?: number } = {
  startingPrice: null,
  winDividendCents: null,
  placeDividendCents: null,
};
const NO_HORSE_MESSAGE = "No horse is entered for this finishing position";

const FIELD_NAMES: Readonly<Record<string, string>> = { time: "off", runners: "order" };
const ROW_FIELD_NAMES: Readonly<Record<string, string>> = {
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
