import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { MAX_RACES } from "#domain/tip.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { readField } from "#platform/parse-form.ts";
import {
  type AnalystTipInput,
  analystTipInput,
  createMissingFieldsError,
} from "./analyst-tip.input.ts";
import { createBlankRace } from "./batch-form.ts";
import { describeFailure, toBatchProblems } from "./handle-batch.server.ts";
import { publishBatch } from "./publish-batch.server.ts";

const FIELDS = [
  "idempotencyKey",
  "venueId",
  "raceDate",
  "raceNumber",
  "raceTime",
  "horseNumber",
  "horseName",
  "tipType",
  "confidence",
  "reasoning",
] as const;

/** Handles the analyst form: publishes one tip as a batch of one race. */
export async function handleAnalystTip(creatorId: string, form: FormData, requestId: string) {
  const values = Object.fromEntries(FIELDS.map((name) => [name, readField(form, name)]));
  return await handleForm(form, {
    input: analystTipInput,
    invalid: (errors) =>
      createMissingFieldsError(values) ?? { message: Object.values(errors)[0], errors },
    run: (tip) => publishBatch(creatorId, toBatch(tip)),
    done: (_, { idempotencyKey, venueId, raceDate, raceNumber }) => {
      const nextNumber = raceNumber < MAX_RACES ? String(raceNumber + 1) : "";
      // The page renders the next form before it has read another key from its loader.
      const nextRace = { idempotencyKey: randomUUID(), venueId, raceDate, raceNumber: nextNumber };
      return data({ ok: true as const, idempotencyKey, nextRace });
    },
    refusals: (refused) => {
      const races = [createBlankRace(Number(values.raceNumber))];
      const draft = { idempotencyKey: "", venueId: "", raceDate: "", races };
      const {
        messages,
        venueId,
        raceDate,
        races: [race],
      } = toBatchProblems(draft, refused);
      const { raceNumber, horseNumber } = race ?? {};
      const errors = { venueId, raceDate, raceNumber, horseNumber };
      return { message: messages[0], errors, status: 409 };
    },
    failed: (error) => failureMessage(error, describeFailure(error), { requestId }),
    keep: FIELDS,
  });
}

function toBatch({ reasoning, idempotencyKey, venueId, raceDate, ...race }: AnalystTipInput) {
  return { idempotencyKey, venueId, raceDate, races: [{ ...race, analysis: reasoning }] };
}
