import { data, redirect } from "react-router";
import { withFormError } from "#admin-kit/admin-kit.server.ts";
import {
  isRunStatus,
  parseFinishingOrder,
  RESULT_STATUSES,
  type ResultStatus,
} from "#domain/race-result.ts";
import { readField } from "#platform/parse-form.ts";
import {
  type CompareRaceResultOutcome,
  type EntryDifference,
  findNextUnconfirmedRace,
  type RaceReference,
  readRaceForResult,
  type SecondEntry,
  type StoredRaceResult,
} from "#racing/racing.server.ts";
import {
  confirmOfficialResult,
  previewOfficialResult,
  type ResultEffect,
} from "../confirm-official-result.server.ts";

/** What the confirmation form shows after a submission. */
export type ConfirmFormResult = {
  ok: boolean;
  message?: string;
  /** The messages below the order and the status. */
  errors?: { order?: string; status?: string };
  differences?: EntryDifference[];
  /** The whole result, once the second entry agrees with the first. */
  result?: StoredRaceResult;
  isOnePerson?: boolean;
  /** The official result that this one corrects. Null if it is the first one. */
  official?: StoredRaceResult | null;
  /** Null if this admin has confirmed the result already. */
  effect?: ResultEffect | null;
  /** What was typed, to fill in the form again. */
  values: { order: string; status: ResultStatus | null };
};

type Refusal = Exclude<Extract<CompareRaceResultOutcome, { ok: false }>["refusal"], "different">;

const REFUSALS: Readonly<Record<Refusal, readonly [string, number]>> = {
  "no-such-result": [
    "This result has been discarded or entered again. Nothing was confirmed.",
    409,
  ],
  confirmed: ["Another admin confirmed this result already.", 409],
  "same-admin": ["You entered this result. Another admin must confirm it.", 403],
  unofficial: ["This result is unofficial. Enter it again once it is official.", 409],
  "runners-changed": [
    "The runners of this race changed after the result was entered. Discard it and enter it again.",
    409,
  ],
};

/**
 * Handles the confirmation form. The first submission compares the second entry with the first, and
 * shows the whole result if they agree. The second one, with `confirmed`, confirms it. A failure keeps what was
 * typed.
 */
export async function confirmRaceResultForm(actorId: string, form: FormData, race: RaceReference) {
  const status = RESULT_STATUSES.find((each) => each === readField(form, "status")) ?? null;
  const values = { order: readField(form, "order"), status };
  const respond = (result: Omit<ConfirmFormResult, "values">, code = 200) =>
    data<ConfirmFormResult>({ ...result, values }, { status: code });
  const needsOrder = status === null || isRunStatus(status);
  const order = needsOrder ? parseFinishingOrder(values.order) : [];
  const isOrderMissing = order === null || (needsOrder && order.length === 0);
  if (status === null || isOrderMissing)
    return respond(
      {
        ok: false,
        errors: {
          ...(isOrderMissing ? { order: "Enter horse numbers, such as 4 9 7" } : {}),
          ...(status === null ? { status: "Select the status of the result" } : {}),
        },
      },
      422,
    );
  const entry = {
    resultId: readField(form, "result"),
    second: { status, positions: toPositions(order) } satisfies SecondEntry,
  };
  const isConfirmed = readField(form, "confirmed") === "yes";
  return await withFormError(form, "Failed to confirm the result", async () => {
    const outcome = isConfirmed
      ? await confirmOfficialResult(actorId, race, entry)
      : await previewOfficialResult(actorId, race, entry);
    if (!outcome.ok) {
      if (outcome.refusal === "different")
        return respond({ ok: false, differences: outcome.differences }, 409);
      const [message, code] = REFUSALS[outcome.refusal];
      return respond({ ok: false, message }, code);
    }
    if (isConfirmed) throw redirect(await findNextPath(race, actorId));
    if (!("effect" in outcome)) throw new Error("a confirmation was not redirected");
    const { result, isOnePerson, effect } = outcome;
    const official = (await readRaceForResult(race))?.confirmed[0] ?? null;
    return respond({ ok: true, result, isOnePerson, official, effect });
  });
}

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
