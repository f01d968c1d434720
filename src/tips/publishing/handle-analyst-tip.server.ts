import { data } from "react-router";
import * as v from "valibot";
import type { AnalystTipFormResult, CreatorLoginResult } from "#creators/creators.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import {
  type AnalystTipInput,
  analystTipInput,
  missingFieldsMessage,
} from "./analyst-tip.input.ts";
import { blankRace } from "./batch-form.ts";
import { batchFailure, problemsOf } from "./handle-batch.server.ts";
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
  const missing = missingFieldsMessage(values);
  if (missing) return refuse(values, 422, missing);
  const read = v.safeParse(analystTipInput, values);
  if (!read.success) {
    const errors = Object.fromEntries(
      read.issues.map((issue) => [String(issue.path?.[0]?.key), issue.message]).reverse(),
    );
    return refuse(values, 422, { message: read.issues[0].message, errors });
  }
  const result = await publishBatch(creatorId, batchOf(read.output)).catch((error: unknown) =>
    batchFailure(error, requestId),
  );
  if ("message" in result)
    return refuse(values, result.status, { message: result.message, errors: {} });
  if (result.ok)
    return data<AnalystTipFormResult>({ ok: true, idempotencyKey: read.output.idempotencyKey });
  const draft = {
    idempotencyKey: "",
    venueId: "",
    raceDate: "",
    races: [blankRace(read.output.raceNumber)],
  };
  const { messages, races, venueId, raceDate } = problemsOf(draft, result);
  const errors = { venueId, raceDate, raceNumber: races[0]?.raceNumber };
  return refuse(values, 409, { message: messages[0], errors });
}

function batchOf({ reasoning, idempotencyKey, venueId, raceDate, ...race }: AnalystTipInput) {
  return { idempotencyKey, venueId, raceDate, races: [{ ...race, analysis: reasoning }] };
}

function refuse(
  values: Record<string, string>,
  status: number,
  result: Omit<CreatorLoginResult, "values">,
) {
  return data<AnalystTipFormResult>({ ok: false, ...result, values }, { status });
}
