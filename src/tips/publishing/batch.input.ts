import * as v from "valibot";
import { isCalendarDate } from "#domain/calendar.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import {
  CONFIDENCES,
  MAX_HORSE_NAME,
  MAX_HORSE_NUMBER,
  MAX_RACES,
  TIP_TYPES,
} from "#domain/tip.ts";
import { readableText, unambiguousName } from "#platform/readable-input.ts";

const VENUE_OR_DATE_MISSING = "Please select a venue and race date.";
const FIELD_MISSING = "Please fill in all fields for each race.";
export const DATE_PASSED_MESSAGE =
  "That date has passed. You can publish tips for today and up to 14 days ahead.";
export const DATE_TOO_FAR_AHEAD_MESSAGE =
  "That date is too far ahead. You can publish tips for today and up to 14 days ahead.";
/** Parses an off time in any 24-hour notation to `HH:MM`. */
export const offTimeInput = v.pipe(
  v.string(),
  v.check((text) => parseTime(text) !== null, `${INVALID_OFF_TIME_MESSAGE}.`),
  v.transform((text) => parseTime(text) ?? text),
);
export const MAX_ANALYSIS = 4000;

/** Parses an integer from a number or a string of digits. An empty string is invalid. */
function integerInput(min: number, max: number, message: string) {
  return v.pipe(
    v.union([v.string(), v.number()], FIELD_MISSING),
    v.transform((value) => (value === "" ? Number.NaN : Number(value))),
    v.number(FIELD_MISSING),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

/** One race of a batch. Unknown fields are dropped. */
export const batchRaceInput = v.object({
  raceNumber: integerInput(1, MAX_RACES, `Race number must be from 1 to ${MAX_RACES}.`),
  horseNumber: integerInput(
    1,
    MAX_HORSE_NUMBER,
    `Horse number must be from 1 to ${MAX_HORSE_NUMBER}.`,
  ),
  horseName: v.pipe(
    v.string(FIELD_MISSING),
    v.trim(),
    v.nonEmpty(FIELD_MISSING),
    v.maxLength(MAX_HORSE_NAME, `Horse name must be at most ${MAX_HORSE_NAME} characters long.`),
    unambiguousName("Horse name"),
  ),
  tipType: v.picklist(TIP_TYPES, FIELD_MISSING),
  confidence: v.picklist(CONFIDENCES, FIELD_MISSING),
  analysis: v.pipe(
    v.string(FIELD_MISSING),
    v.trim(),
    v.nonEmpty(FIELD_MISSING),
    v.maxLength(MAX_ANALYSIS, `Analysis must be at most ${MAX_ANALYSIS} characters long.`),
    readableText("Analysis"),
  ),
  raceTime: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((text) => text?.trim() || null),
    v.nullable(offTimeInput),
  ),
});

/** A creator's daily batch for one venue and day. The browser and the server share this schema. */
export const batchInput = v.object({
  idempotencyKey: v.pipe(v.string(), v.minLength(8), v.maxLength(100)),
  venueId: v.pipe(v.string(VENUE_OR_DATE_MISSING), v.uuid(VENUE_OR_DATE_MISSING)),
  raceDate: v.pipe(v.string(VENUE_OR_DATE_MISSING), v.check(isCalendarDate, VENUE_OR_DATE_MISSING)),
  races: v.pipe(
    v.array(batchRaceInput),
    v.minLength(1, "Please add at least one race."),
    v.maxLength(MAX_RACES, `You can publish at most ${MAX_RACES} races at once.`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const raceNumbers = new Set<number>();
      for (const { raceNumber } of dataset.value) {
        if (raceNumbers.has(raceNumber)) addIssue({ message: createRaceTakenMessage(raceNumber) });
        raceNumbers.add(raceNumber);
      }
    }),
  ),
});

export type BatchInput = v.InferOutput<typeof batchInput>;

/** Returns the message for a race number that the form or the card already has. */
export function createRaceTakenMessage(raceNumber: number): string {
  return `Race ${raceNumber} is already selected. Please choose a different race number.`;
}

/** Returns the lowest unused race number; null if all are used. */
export function findLowestUnusedRace(used: readonly number[]): number | null {
  for (let raceNumber = 1; raceNumber <= MAX_RACES; raceNumber += 1)
    if (!used.includes(raceNumber)) return raceNumber;
  return null;
}
