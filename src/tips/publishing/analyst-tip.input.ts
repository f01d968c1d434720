import * as v from "valibot";
import { isCalendarDate } from "#domain/calendar.ts";
import { CONFIDENCES, MAX_HORSE_NAME, MAX_RACES, TIP_TYPES } from "#domain/tip.ts";
import { readableText, unambiguousName } from "#platform/readable-input.ts";
import { MAX_ANALYSIS, offTimeInput } from "./batch.input.ts";

export const MAX_ANALYST_HORSE_NUMBER = 20;

/** The fields of the analyst form in order, with their names in error messages. */
const FIELD_NAMES = {
  venueId: "venue",
  raceDate: "race date",
  raceNumber: "race number",
  raceTime: "race time",
  horseNumber: "horse number",
  horseName: "horse name",
  tipType: "tip type",
  confidence: "confidence",
  reasoning: "reasoning",
} as const;

/** Returns the empty fields in the form's order, with their names in error messages. */
function findMissingFields(form: {
  readonly [field: string]: string;
}): { field: string; name: string }[] {
  return Object.entries(FIELD_NAMES)
    .filter(([field]) => (form[field] ?? "").trim() === "")
    .map(([field, name]) => ({ field, name }));
}

/** Returns the messages for empty fields, above the form and per field; null if none is empty. */
export function createMissingFieldsError(form: { readonly [field: string]: string }) {
  const missing = findMissingFields(form);
  if (missing.length === 0) return null;
  return {
    title: "Missing Required Fields",
    message: `Please fill in: ${missing.map((field) => field.name).join(", ")}`,
    errors: Object.fromEntries(
      missing.map((field) => [field.field, `Please enter the ${field.name}`]),
    ),
  };
}

function integerInput(max: number, message: string) {
  return v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(Number),
    v.number(message),
    v.integer(message),
    v.minValue(1, message),
    v.maxValue(max, message),
  );
}

/** One tip from the analyst form. The author is always the signed-in analyst, never a field. */
export const analystTipInput = v.object({
  idempotencyKey: v.pipe(v.string(), v.minLength(8), v.maxLength(100)),
  venueId: v.pipe(v.string(), v.uuid("Please select a venue.")),
  raceDate: v.pipe(v.string(), v.check(isCalendarDate, "Please select a race date.")),
  raceNumber: integerInput(MAX_RACES, `Race number must be from 1 to ${MAX_RACES}.`),
  raceTime: offTimeInput,
  horseNumber: integerInput(
    MAX_ANALYST_HORSE_NUMBER,
    `Horse number must be from 1 to ${MAX_ANALYST_HORSE_NUMBER}.`,
  ),
  horseName: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.maxLength(MAX_HORSE_NAME),
    unambiguousName("Horse name"),
  ),
  tipType: v.picklist(TIP_TYPES),
  confidence: v.picklist(CONFIDENCES),
  reasoning: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.maxLength(MAX_ANALYSIS),
    readableText("Analysis"),
  ),
});

export type AnalystTipInput = v.InferOutput<typeof analystTipInput>;
