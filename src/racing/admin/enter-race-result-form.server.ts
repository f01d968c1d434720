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
} from "#domain/race-result.ts";
import { now } from "#platform/clock.server.ts";
import { readField } from "#platform/parse-form.ts";
import { enterRaceResult } from "../results/enter-race-result.server.ts";
import { findNextRaceWithoutResult } from "../results/list-races-for-results.server.ts";
import { raceResultInput } from "../results/race-result.input.ts";
import type { RaceReference } from "../results/read-results.server.ts";

/** The number of form rows for prices and dividends. */
export const PRICE_ROWS = 6;

const INVALID_NUMBERS_MESSAGE = "Enter horse numbers with spaces between them, such as 4 9 7";

const REFUSALS = {
  "unknown-race": ["This race is no longer on the race day.", 404],
  "too-early": [
    "This race is not off yet. Only an abandoned race can be entered before its off.",
    409,
  ],
  unchanged: ["This is what the official result says already. Nothing was saved.", 409],
} as const;

/** Handles the race result form. Redirects to the next race without a result, or back to the list. */
export async function enterRaceResultForm(actorId: string, form: FormData, race: RaceReference) {
  const { input, errors } = readResult(form);
  if (Object.keys(errors).length > 0) return formError(form, { errors });
  const parsed = v.safeParse(raceResultInput, input);
  if (!parsed.success) return formError(form, { errors: toFieldErrors(parsed.issues) });
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

/** Parses the form. The nth price row belongs to the nth horse of the finishing order. */
function readResult(form: FormData): { input: unknown; errors: Errors } {
  const errors: Errors = {};
  const status = RESULT_STATUSES.find((each) => each === readField(form, "status")) ?? "official";
  const readWhole = (name: string) => {
    const text = readField(form, name).trim();
    return text === "" ? null : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  };
  const shared = {
    status,
    time: readField(form, "off").trim() || null,
    source: readField(form, "source"),
    sourceUrl: readField(form, "sourceUrl").trim() || null,
    reason: readField(form, "reason"),
  };
  // Ignores the other fields, which may still be filled in from an earlier choice of status.
  if (!isRunStatus(status))
    return {
      input: { ...shared, time: null, starters: null, placesPaid: null, runners: [] },
      errors,
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
  const prices = Array.from({ length: PRICE_ROWS }, (_, index) => ({
    startingPrice: readPriced(`price-${index + 1}`, parseStartingPrice, INVALID_PRICE_MESSAGE),
    winDividendCents: readPriced(`win-${index + 1}`, parseDividend, INVALID_DIVIDEND_MESSAGE),
    placeDividendCents: readPriced(`place-${index + 1}`, parseDividend, INVALID_DIVIDEND_MESSAGE),
  }));
  const unpriced = { startingPrice: null, winDividendCents: null, placeDividendCents: null };
  prices.slice(finishers.length).forEach((row, index) => {
    const field = finishers.length + index + 1;
    if (row.startingPrice ?? row.winDividendCents ?? row.placeDividendCents)
      errors[`price-${field}`] ??= "No horse is entered for this finishing position";
  });
  const others = (name: string, outcome: RunnerOutcome) =>
    readNumbers(name)
      .flat()
      .map((number) => ({ number, outcome, position: null, ...unpriced }));
  return {
    input: {
      ...shared,
      starters: readWhole("starters"),
      placesPaid: readWhole("placesPaid"),
      runners: [
        ...finishers.map((runner, index) => ({
          ...runner,
          outcome: "finished",
          ...(prices[index] ?? unpriced),
        })),
        ...others("nonRunners", "non-runner"),
        ...others("didNotFinish", "did-not-finish"),
        ...others("disqualified", "disqualified"),
      ],
    },
    errors,
  };
}

const FIELD_NAMES: Readonly<Record<string, string>> = { time: "off", runners: "order" };
const ROW_FIELD_NAMES: Readonly<Record<string, string>> = {
  startingPrice: "price",
  winDividendCents: "win",
  placeDividendCents: "place",
};

function toFieldErrors(issues: readonly v.BaseIssue<unknown>[]): Errors {
  const errors: Errors = {};
  for (const { path, message } of issues) {
    const [field = "order", index, runnerField] = path?.map(({ key }) => String(key)) ?? [];
    // The first runners of the input are those with a price row, in the same order.
    const rowField = ROW_FIELD_NAMES[runnerField ?? ""];
    const name = rowField ? `${rowField}-${Number(index) + 1}` : (FIELD_NAMES[field] ?? field);
    errors[name] ??= message;
  }
  return errors;
}
