import { data, redirect } from "react-router";
import { withFormError } from "#admin-kit/admin-kit.server.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { SURFACES } from "#domain/race-day.ts";
import {
  countNamedPositions,
  isRunStatus,
  parseFinishingOrder,
  RESULT_STATUSES,
  standardPlacesPaid,
  toPlaced,
} from "#domain/race-result.ts";
import { MAX_HORSE_NAME } from "#domain/tip.ts";
import { readField } from "#platform/parse-form.ts";
import {
  type CompareRaceResultOutcome,
  compareRaceResult,
  confirmRaceResult,
  type EntryDifference,
  type SecondEntry,
} from "../results/confirm-race-result.server.ts";
import { findNextUnconfirmedRace } from "../results/list-races-for-results.server.ts";
import type { ResultEffect } from "../results/race-result-steps.server.ts";
import { readRaceForResult } from "../results/read-race-for-result.server.ts";
import type { RaceReference, StoredRaceResult } from "../results/read-results.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import { ENTRY_FIELDS, type EntryField, NAME_FIELDS } from "./second-entry.ts";

/** What the confirmation form shows after a submission. */
export type ConfirmFormResult = {
  ok: boolean;
  message?: string;
  /** The messages below the fields. */
  errors?: Partial<Record<EntryField, string>>;
  differences?: EntryDifference[];
  /** The whole result, once the second entry agrees with the first. */
  result?: StoredRaceResult;
  isOnePerson?: boolean;
  /** The official result that this one corrects. Null if it is the first one. */
  official?: StoredRaceResult | null;
  /** Null if this admin has confirmed the result already. */
  effect?: ResultEffect | null;
  /** What was typed, to fill in the form again. */
  values: Record<EntryField, string>;
};

type Refusal = Exclude<Extract<CompareRaceResultOutcome, { ok: false }>["refusal"], "different">;

const REFUSALS: Readonly<Record<Refusal, readonly [string, number]>> = {
  "no-such-result": [
    "This result has been discarded or entered again. Nothing was confirmed.",
    409,
  ],
  confirmed: ["Another admin confirmed this result already.", 409],
  "same-admin": ["You entered this result. Another admin must confirm it.", 403],
  "has-tips": [HAS_TIPS_MESSAGE, 403],
  unofficial: ["This result is unofficial. Enter it again once it is official.", 409],
  "runners-changed": [
    "The runners of this race changed after the result was entered, or it lacks the names of horses. Discard it and enter it again.",
    409,
  ],
  "surface-changed": [
    "The surface of this race changed after the result was entered. Discard it and enter it again.",
    409,
  ],
};

/**
 * Handles the confirmation form. The first submission compares the second entry with the first, and
 * shows the whole result if they agree. The second one, with `confirmed`, confirms it. A failure keeps what was
 * typed.
 */
export async function confirmRaceResultForm(actorId: string, form: FormData, race: RaceReference) {
  const response = await submitSecondEntry(actorId, form, race);
  if (response) return response;
  throw redirect(await findNextPath(race, actorId));
}

/** Compares or confirms the result of a race. Returns null if it was confirmed, otherwise the response. */
export async function submitSecondEntry(actorId: string, form: FormData, race: RaceReference) {
  const values = Object.fromEntries(
    ENTRY_FIELDS.map((field) => [field, readField(form, field)]),
  ) as Record<EntryField, string>;
  const respond = (result: Omit<ConfirmFormResult, "values">, code = 200) =>
    data<ConfirmFormResult>({ ...result, values }, { status: code });
  const found = await readRaceForResult(race);
  const { second, errors } = readSecondEntry(values, { hasNames: needsNames(found) });
  if (!second) return respond({ ok: false, errors }, 422);
  const entry = { resultId: readField(form, "result"), second };
  const isConfirmed = readField(form, "confirmed") === "yes";
  return await withFormError(form, "Failed to confirm the result", async () => {
    const outcome = isConfirmed
      ? await confirmRaceResult(actorId, race, entry)
      : await compareRaceResult(actorId, race, entry);
    if (!outcome.ok) {
      if (outcome.refusal === "different")
        return respond({ ok: false, differences: outcome.differences }, 409);
      const [message, code] = REFUSALS[outcome.refusal];
      return respond({ ok: false, message }, code);
    }
    // The result is confirmed. Only a comparison has an effect.
    if (!("effect" in outcome)) return null;
    const { result, isOnePerson, effect } = outcome;
    const official = found?.confirmed[0] ?? null;
    return respond({ ok: true, result, isOnePerson, official, effect });
  });
}

/** Returns true if the names of the placed horses are entered, because no runners are declared. */
export function needsNames(found: Awaited<ReturnType<typeof readRaceForResult>>): boolean {
  return found?.race.runners.length === 0;
}

/** Parses what the second admin typed. Only the status of a race that was not run is read. */
function readSecondEntry(
  values: Record<EntryField, string>,
  { hasNames }: { hasNames: boolean },
): {
  second: SecondEntry | null;
  errors: NonNullable<ConfirmFormResult["errors"]>;
} {
  const status = RESULT_STATUSES.find((each) => each === values.status) ?? null;
  if (status !== null && !isRunStatus(status))
    return { second: { ...NOT_RUN, status }, errors: {} };
  const errors: NonNullable<ConfirmFormResult["errors"]> = {};
  if (status === null) errors.status = "Select the status of the result";
  const order = parseFinishingOrder(values.order) ?? [];
  if (order.length === 0) errors.order = "Enter horse numbers, such as 4 9 7";
  const nonRunners = parseFinishingOrder(values.nonRunners);
  if (nonRunners === null) errors.nonRunners = "Enter horse numbers, such as 4 9 7";
  const off = parseTime(values.off);
  if (off === null) errors.off = INVALID_OFF_TIME_MESSAGE;
  const readNumber = (text: string) => (/^\d{1,2}$/.test(text.trim()) ? Number(text) : null);
  const starters = readNumber(values.starters);
  if (starters === null) errors.starters = "Enter the number of starters";
  const placesPaid = readNumber(values.placesPaid);
  if (placesPaid === null && values.placesPaid.trim() !== "")
    errors.placesPaid = "Enter a number, or nothing";
  const names = hasNames
    ? readNames(values, {
        order,
        positions: countNamedPositions(placesPaid ?? standardPlacesPaid(starters ?? 0)),
      })
    : { names: [], errors: {} };
  Object.assign(errors, names.errors);
  if (status === null || Object.keys(errors).length > 0) return { second: null, errors };
  return {
    second: {
      status,
      off,
      starters,
      placesPaid,
      surface: SURFACES.find((each) => each === values.surface) ?? null,
      nonRunners: (nonRunners ?? []).flat(),
      positions: toPositions(order),
      names: names.names,
    },
    errors,
  };
}

/** Reads the names of the horses at the first positions. The nth field belongs to the nth horse of the order. */
function readNames(
  values: Record<EntryField, string>,
  { order, positions }: { order: readonly (readonly number[])[]; positions: number },
): { names: SecondEntry["names"]; errors: NonNullable<ConfirmFormResult["errors"]> } {
  const errors: NonNullable<ConfirmFormResult["errors"]> = {};
  const names = toPlaced(order).flatMap(({ number, position }, index) => {
    const field = NAME_FIELDS[index];
    if (field === undefined || position > positions) return [];
    const horseName = values[field]?.trim() ?? "";
    if (horseName === "") errors[field] = `Enter the name of horse ${number}`;
    if (horseName.length > MAX_HORSE_NAME)
      errors[field] = `Name must be at most ${MAX_HORSE_NAME} characters long`;
    return { number, horseName };
  });
  return { names, errors };
}

const NOT_RUN = {
  off: null,
  starters: null,
  placesPaid: null,
  surface: null,
  nonRunners: [],
  positions: [],
  names: [],
} as const;

/** Returns the horse numbers at the first positions of an order: after a dead heat of two comes one fewer. */
function toPositions(order: readonly (readonly number[])[]): (readonly number[])[] {
  const positions: (readonly number[])[] = [];
  for (const numbers of order) {
    positions.push(numbers);
    for (let behind = 1; behind < numbers.length; behind += 1) positions.push([]);
  }
  return positions;
}

async function findNextPath(race: RaceReference, actorId: string): Promise<string> {
  const confirmed = `confirmed=${race.raceNumber}`;
  const next = await findNextUnconfirmedRace(race, actorId);
  return next === null
    ? `/admin/results?${confirmed}`
    : `/admin/results/${race.venueId}/${race.raceDate}/${next}/confirm?${confirmed}`;
}
