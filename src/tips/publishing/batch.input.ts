import * as v from "valibot";
import { isCalendarDate } from "#domain/calendar.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { CONFIDENCES, MAX_HORSE_NUMBER, MAX_RACES, TIP_TYPES } from "#domain/tip.ts";

const CHOOSE = "Please select a venue and race date.";
const FILL_IN = "Please fill in all fields for each race.";
export const DAY_OVER =
  "That date has passed. You can publish tips for today and up to 14 days ahead.";
export const DAY_TOO_FAR =
  "That date is too far ahead. You can publish tips for today and up to 14 days ahead.";
/** An off time in 24 hours, however it is written; becomes `HH:MM`. */
export const offTimeInput = v.pipe(
  v.string(),
  v.check((text) => parseTime(text) !== null, `${INVALID_OFF_TIME_MESSAGE}.`),
  v.transform((text) => parseTime(text) ?? text),
);
export const MAX_ANALYSIS = 4000;
export const MAX_HORSE_NAME = 60;

/** A number as a form or a client sends it: digits, or a number. Left empty it is none. */
function wholeNumber(from: number, to: number, message: string) {
  return v.pipe(
    v.union([v.string(), v.number()], FILL_IN),
    v.transform((given) => (given === "" ? Number.NaN : Number(given))),
    v.number(FILL_IN),
    v.integer(message),
    v.minValue(from, message),
    v.maxValue(to, message),
  );
}

/** One race of a batch: what is published of it, and nothing a client could set besides. */
export const batchRaceInput = v.object({
  raceNumber: wholeNumber(1, MAX_RACES, `Race number must be from 1 to ${MAX_RACES}.`),
  horseNumber: wholeNumber(
    1,
    MAX_HORSE_NUMBER,
    `Horse number must be from 1 to ${MAX_HORSE_NUMBER}.`,
  ),
  horseName: v.pipe(
    v.string(FILL_IN),
    v.trim(),
    v.nonEmpty(FILL_IN),
    v.maxLength(MAX_HORSE_NAME, `Horse name must be at most ${MAX_HORSE_NAME} characters long.`),
  ),
  tipType: v.picklist(TIP_TYPES, FILL_IN),
  confidence: v.picklist(CONFIDENCES, FILL_IN),
  analysis: v.pipe(
    v.string(FILL_IN),
    v.trim(),
    v.nonEmpty(FILL_IN),
    v.maxLength(MAX_ANALYSIS, `Analysis must be at most ${MAX_ANALYSIS} characters long.`),
  ),
  raceTime: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((given) => given?.trim() || null),
    v.nullable(offTimeInput),
  ),
});

/** The daily batch of one creator for one venue and day: one schema for the form and the server. */
export const batchInput = v.object({
  batchKey: v.pipe(v.string(), v.minLength(8), v.maxLength(100)),
  venueId: v.pipe(v.string(CHOOSE), v.uuid(CHOOSE)),
  raceDate: v.pipe(v.string(CHOOSE), v.check(isCalendarDate, CHOOSE)),
  races: v.pipe(
    v.array(batchRaceInput),
    v.minLength(1, "Please add at least one race."),
    v.maxLength(MAX_RACES, `You can publish at most ${MAX_RACES} races at once.`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const seen = new Set<number>();
      for (const { raceNumber } of dataset.value) {
        if (seen.has(raceNumber)) addIssue({ message: raceTakenMessage(raceNumber) });
        seen.add(raceNumber);
      }
    }),
  ),
});

export type BatchInput = v.InferOutput<typeof batchInput>;

/** What is said of a race number that stands already, in the form or on the card. */
export function raceTakenMessage(raceNumber: number): string {
  return `Race ${raceNumber} is already selected. Please choose a different race number.`;
}

/** The lowest race number a batch has not used yet, for the next race added; null when all are. */
export function lowestUnusedRace(used: readonly number[]): number | null {
  for (let raceNumber = 1; raceNumber <= MAX_RACES; raceNumber += 1)
    if (!used.includes(raceNumber)) return raceNumber;
  return null;
}
