import { randomUUID } from "node:crypto";
import { data } from "react-router";
import * as v from "valibot";
import type { AnalystTipFormResult, CreatorLoginResult } from "#creators/creators.ui.tsx";
import { MAX_RACES } from "#domain/tip.ts";
import { readField } from "#platform/parse-form.ts";
import {
  type AnalystTipInput,
  analystTipInput,
  createMissingFieldsError,
} from "./analyst-tip.input.ts";
import { createBlankRace } from "./batch-form.ts";
import { reportBatchFailure, toBatchProblems } from "./handle-batch.server.ts";
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
  const missing = createMissingFieldsError(values);
  if (missing) return refuse(values, 422, missing);
  const parsed = v.safeParse(analystTipInput, values);
  if (!parsed.success) {
    const errors = Object.fromEntries(
      parsed.issues.map((issue) => [String(issue.path?.[0]?.key), issue.message]).reverse(),
    );
    return refuse(values, 422, { message: parsed.issues[0].message, errors });
  }
  const result = await publishBatch(creatorId, toBatch(parsed.output)).catch((error: unknown) =>
    reportBatchFailure(error, requestId),
  );
  if ("message" in result)
    return refuse(values, result.status, { message: result.message, errors: {} });
  if (result.ok) {
    const { idempotencyKey, venueId, raceDate, raceNumber } = parsed.output;
    const nextNumber = raceNumber < MAX_RACES ? String(raceNumber + 1) : "";
    // The page renders the next form before it has read another key from its loader.
    const nextRace = { idempotencyKey: randomUUID(), venueId, raceDate, raceNumber: nextNumber };
    return data<AnalystTipFormResult>({ ok: true, idempotencyKey, nextRace });
  }
  const draft = {
    idempotencyKey: "",
    venueId: "",
    raceDate: "",
    races: [createBlankRace(parsed.output.raceNumber)],
  };
  const { messages, races, venueId, raceDate } = toBatchProblems(draft, result);
  const errors = {
    venueId,
    raceDate,
    raceNumber: races[0]?.raceNumber,
    horseNumber: races[0]?.horseNumber,
  };
  return refuse(values, 409, { message: messages[0], errors });
}

function toBatch({ reasoning, idempotencyKey, venueId, raceDate, ...race }: AnalystTipInput) {
  return { idempotencyKey, venueId, raceDate, races: [{ ...race, analysis: reasoning }] };
}

function refuse(
  values: Record<string, string>,
  status: number,
  result: Omit<CreatorLoginResult, "values">,
) {
  return data<AnalystTipFormResult>({ ok: false, ...result, values }, { status });
}
