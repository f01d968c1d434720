import * as v from "valibot";
import { findRecordWarning, RECORD_DEADLINE_TIME } from "#domain/batch.ts";
import { dateAt } from "#domain/calendar.ts";
import {
  type BatchInput,
  batchInput,
  DAY_OVER,
  DAY_TOO_FAR,
  lowestUnusedRace,
  raceTakenMessage,
} from "./batch.input.ts";

// The daily batch as form state: all fields are strings and may be incomplete.

export const RACE_FIELDS = [
  "raceNumber",
  "raceTime",
  "horseNumber",
  "horseName",
  "tipType",
  "confidence",
  "analysis",
] as const;
export type RaceField = (typeof RACE_FIELDS)[number];
export type RaceDraft = Record<RaceField, string>;
export type BatchDraft = {
  idempotencyKey: string;
  venueId: string;
  raceDate: string;
  races: RaceDraft[];
};

/** The validation errors of a batch: messages above the form and one per field. */
export type BatchProblems = {
  messages: string[];
  venueId?: string;
  raceDate?: string;
  races: Partial<Record<RaceField, string>>[];
};

/** Returns a race with a number and empty fields. */
export function blankRace(raceNumber: number | null): RaceDraft {
  return {
    raceNumber: raceNumber === null ? "" : String(raceNumber),
    raceTime: "",
    horseNumber: "",
    horseName: "",
    tipType: "",
    confidence: "",
    analysis: "",
  };
}

/** Returns whether all fields of a race except its number are empty. */
export function isBlankRace(race: RaceDraft): boolean {
  return RACE_FIELDS.every((field) => field === "raceNumber" || race[field] === "");
}

/** Returns the draft with one field of one race changed. */
export function withRaceField(
  draft: BatchDraft,
  index: number,
  field: RaceField,
  value: string,
): BatchDraft {
  const races = draft.races.map((race, each) =>
    each === index ? { ...race, [field]: value } : race,
  );
  return { ...draft, races };
}

/** Returns a blank race with the lowest number that neither the batch nor the card has. */
export function nextRace(races: readonly RaceDraft[], taken: readonly number[]): RaceDraft {
  return blankRace(lowestUnusedRace([...races.map((race) => Number(race.raceNumber)), ...taken]));
}

/** Returns the races with blank ones renumbered if the card already has their number. */
export function moveBlankRaces(
  races: readonly RaceDraft[],
  taken: readonly number[],
): readonly RaceDraft[] {
  const mustMove = (race: RaceDraft) =>
    isBlankRace(race) && taken.includes(Number(race.raceNumber));
  if (!races.some(mustMove)) return races;
  const moved: RaceDraft[] = [];
  const staying = races.filter((race) => !mustMove(race));
  for (const race of races)
    moved.push(mustMove(race) ? nextRace([...staying, ...moved], taken) : race);
  return moved;
}

/** Formats race numbers for a sentence: 'race 4', 'races 1, 2 and 7'. */
export function describeRaces(raceNumbers: readonly number[]): string {
  const numbers = [...raceNumbers].sort((one, other) => one - other);
  if (numbers.length === 1) return `race ${numbers[0]}`;
  return `races ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

/**
 * Formats races with their horses, sorted by race number, for the confirmation before publishing.
 */
export function racesWithHorses(races: readonly RaceDraft[]): string {
  return [...races]
    .sort((one, other) => Number(one.raceNumber) - Number(other.raceNumber))
    .map((race) => `race ${race.raceNumber}, no. ${race.horseNumber} ${race.horseName.trim()}`)
    .join("; ");
}

/**
 * Returns the warning below an empty off time whose tip may not count; undefined if there is none.
 */
export function offTimeWarning(
  raceDate: string,
  offTime: string | null,
  at: Date,
): string | undefined {
  if (offTime !== null || raceDate < dateAt(at)) return undefined;
  switch (findRecordWarning(raceDate, null, at)) {
    case "late":
      return `It is past ${RECORD_DEADLINE_TIME} on race day. Enter the off time, or this tip will not count in your record.`;
    case "soon":
      return `Enter the off time, or publish before ${RECORD_DEADLINE_TIME}. Otherwise this tip will not count in your record.`;
    default:
      return undefined;
  }
}

/** Returns the input name of one field of one race. */
export function fieldName(index: number, field: RaceField): string {
  return `races.${index}.${field}`;
}

const FIELD = /^races\.(\d{1,2})\.(\w+)$/;

/** Parses a submitted batch form. Closes the gaps in the indices that removed races left. */
export function readBatchForm(form: FormData): BatchDraft {
  const races = new Map<number, RaceDraft>();
  for (const [name, value] of form) {
    const [, index, field] = FIELD.exec(name) ?? [];
    const known = RACE_FIELDS.find((each) => each === field);
    if (index === undefined || known === undefined || typeof value !== "string") continue;
    const race = races.get(Number(index)) ?? blankRace(null);
    race[known] = value;
    races.set(Number(index), race);
  }
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    idempotencyKey: text("idempotencyKey"),
    venueId: text("venueId"),
    raceDate: text("raceDate"),
    races: [...races.entries()].sort(([one], [other]) => one - other).map(([, race]) => race),
  };
}

/**
 * Returns an update that copies values typed before hydration into the draft, because React would
 * overwrite them. Only fields that differ from the initial draft are copied.
 */
export function withTypedValues(
  start: BatchDraft,
  typed: BatchDraft,
): (draft: BatchDraft) => BatchDraft {
  const races = typed.races.map((race, index) =>
    RACE_FIELDS.filter((field) => race[field] !== start.races[index]?.[field]),
  );
  const isTyped = (field: "venueId" | "raceDate") => typed[field] !== start[field];
  if (!isTyped("venueId") && !isTyped("raceDate") && races.flat().length === 0)
    return (draft) => draft;
  return (draft) => ({
    ...draft,
    venueId: isTyped("venueId") ? typed.venueId : draft.venueId,
    raceDate: isTyped("raceDate") ? typed.raceDate : draft.raceDate,
    races: draft.races.map((race, index) => {
      const changed = races[index]?.map((field) => [field, typed.races[index]?.[field]]) ?? [];
      return { ...race, ...Object.fromEntries(changed) };
    }),
  });
}

/** Validates a draft. Returns the batch to publish or its validation errors. */
export function validateBatch(
  draft: BatchDraft,
  /** The race numbers that the creator has already published for this venue and day. */
  taken: readonly number[] = [],
  /** The first and last date for tips, for validation in the browser. */
  days?: { today: string; lastDay: string },
): { ok: true; batch: BatchInput } | { ok: false; problems: BatchProblems } {
  const read = v.safeParse(batchInput, draft);
  const problems: BatchProblems = { messages: [], races: draft.races.map(() => ({})) };
  const addMessage = (message: string) => {
    if (!problems.messages.includes(message)) problems.messages.push(message);
  };
  for (const issue of read.issues ?? []) {
    addMessage(issue.message);
    const [first, index, field] = issue.path?.map((part) => part.key) ?? [];
    const race = problems.races[Number(index)];
    if (first === "races" && race && field)
      race[field as RaceField] ??= shortMessage(issue.message, field as RaceField);
    if (first === "venueId" || first === "raceDate") problems[first] ??= "Please choose";
  }
  if (days && draft.raceDate && (draft.raceDate < days.today || draft.raceDate > days.lastDay)) {
    const message = draft.raceDate < days.today ? DAY_OVER : DAY_TOO_FAR;
    addMessage(message);
    problems.raceDate = message;
  }
  draft.races.forEach(({ raceNumber }, index) => {
    const before = draft.races.slice(0, index).some((race) => race.raceNumber === raceNumber);
    if (!raceNumber || !(before || taken.includes(Number(raceNumber)))) return;
    const message = raceTakenMessage(Number(raceNumber));
    addMessage(message);
    const race = problems.races[index];
    if (race) race.raceNumber = message;
  });
  return read.success && problems.messages.length === 0
    ? { ok: true, batch: read.output }
    : { ok: false, problems };
}

const FIELD_NAMES: Record<RaceField, string> = {
  raceNumber: "race number",
  horseNumber: "horse number",
  horseName: "horse name",
  tipType: "tip type",
  confidence: "confidence",
  analysis: "analysis",
  raceTime: "off time",
};

/** The message above the form does not name a field; the one below a field does. */
function shortMessage(message: string, field: RaceField): string {
  return message === "Please fill in all fields for each race."
    ? `Please enter the ${FIELD_NAMES[field]}`
    : message;
}
