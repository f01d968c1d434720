import * as v from "valibot";
import { findRecordWarning, RECORD_DEADLINE_TIME } from "#domain/batch.ts";
import { dateAt } from "#domain/calendar.ts";
import { isSameHorseName } from "#domain/horse-key.ts";
import {
  type BatchInput,
  batchInput,
  createRaceTakenMessage,
  DATE_PASSED_MESSAGE,
  DATE_TOO_FAR_AHEAD_MESSAGE,
  findLowestUnusedRace,
} from "./batch.input.ts";
import type { OfferedRunner } from "./batch-result.ts";

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
export function createBlankRace(raceNumber: number | null): RaceDraft {
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

/** Returns true when all fields of a race except its number are empty. */
export function isBlankRace(race: RaceDraft): boolean {
  return RACE_FIELDS.every((field) => field === "raceNumber" || race[field] === "");
}

/** Returns the draft with one field of one race changed. */
export function changeRaceField(
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

/** Returns the runner with the race's horse number and name, or undefined. */
export function findNamedRunner(
  race: RaceDraft,
  runners: readonly OfferedRunner[],
): OfferedRunner | undefined {
  return runners.find(
    (runner) =>
      String(runner.raceNumber) === race.raceNumber &&
      String(runner.number) === race.horseNumber &&
      isSameHorseName(race.horseName, runner.horseName) &&
      !runner.isScratched,
  );
}

/** Clears the horses that are not running, in races whose runners are declared. */
export function clearUndeclaredHorses(
  draft: BatchDraft,
  runners: readonly OfferedRunner[],
): BatchDraft {
  const isDeclared = (race: RaceDraft) =>
    runners.some((runner) => String(runner.raceNumber) === race.raceNumber);
  return {
    ...draft,
    races: draft.races.map((race) =>
      isDeclared(race) && !findNamedRunner(race, runners)
        ? { ...race, horseNumber: "", horseName: "" }
        : race,
    ),
  };
}

/** Returns a blank race with the lowest number that is in neither the batch nor the race card. */
export function createNextRace(
  races: readonly RaceDraft[],
  publishedNumbers: readonly number[],
): RaceDraft {
  return createBlankRace(
    findLowestUnusedRace([...races.map((race) => Number(race.raceNumber)), ...publishedNumbers]),
  );
}

/** Renumbers the blank races whose number is already published. */
export function renumberBlankRaces(
  races: readonly RaceDraft[],
  taken: readonly number[],
): readonly RaceDraft[] {
  const isConflicting = (race: RaceDraft) =>
    isBlankRace(race) && taken.includes(Number(race.raceNumber));
  if (!races.some(isConflicting)) return races;
  const renumbered: RaceDraft[] = [];
  const unchanged = races.filter((race) => !isConflicting(race));
  for (const race of races)
    renumbered.push(
      isConflicting(race) ? createNextRace([...unchanged, ...renumbered], taken) : race,
    );
  return renumbered;
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
export function describeRacesWithHorses(races: readonly RaceDraft[]): string {
  return [...races]
    .sort((one, other) => Number(one.raceNumber) - Number(other.raceNumber))
    .map((race) => `race ${race.raceNumber}, no. ${race.horseNumber} ${race.horseName.trim()}`)
    .join("; ");
}

/**
 * Returns the warning for a race without a reported off whose tip may not count; undefined if there is
 * none. The off that the tipster enters makes no difference.
 */
export function findOffTimeWarning(
  raceDate: string,
  reportedTime: string | null,
  at: Date,
): string | undefined {
  if (reportedTime !== null || raceDate < dateAt(at)) return undefined;
  switch (findRecordWarning(raceDate, null, at)) {
    case "late":
      return `Meeting not confirmed, and it is past ${RECORD_DEADLINE_TIME} on race day: this tip counts in your record only if an off at least 2 hours later is reported.`;
    case "soon":
      return `Meeting not confirmed. Publish before ${RECORD_DEADLINE_TIME}: after that, a tip counts in your record only if an off at least 2 hours later is reported.`;
    default:
      return undefined;
  }
}

/** Returns the input name of one field of one race. */
export function toInputName(index: number, field: RaceField): string {
  return `races.${index}.${field}`;
}

const INPUT_NAME = /^races\.(\d{1,2})\.(\w+)$/;

/** Parses a submitted batch form. The indices can have gaps where races were removed. */
export function parseBatchForm(form: FormData): BatchDraft {
  const races = new Map<number, RaceDraft>();
  for (const [name, value] of form) {
    const [, index, field] = INPUT_NAME.exec(name) ?? [];
    const raceField = RACE_FIELDS.find((each) => each === field);
    if (index === undefined || raceField === undefined || typeof value !== "string") continue;
    const race = races.get(Number(index)) ?? createBlankRace(null);
    race[raceField] = value;
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
export function createTypedValuesUpdate(
  initial: BatchDraft,
  typed: BatchDraft,
): (draft: BatchDraft) => BatchDraft {
  const races = typed.races.map((race, index) =>
    RACE_FIELDS.filter((field) => race[field] !== initial.races[index]?.[field]),
  );
  const isTyped = (field: "venueId" | "raceDate") => typed[field] !== initial[field];
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
  const parsed = v.safeParse(batchInput, draft);
  const problems: BatchProblems = { messages: [], races: draft.races.map(() => ({})) };
  const addMessage = (message: string) => {
    if (!problems.messages.includes(message)) problems.messages.push(message);
  };
  for (const issue of parsed.issues ?? []) {
    addMessage(issue.message);
    const [first, index, field] = issue.path?.map((part) => part.key) ?? [];
    const race = problems.races[Number(index)];
    if (first === "races" && race && field)
      race[field as RaceField] ??= toFieldMessage(issue.message, field as RaceField);
    if (first === "venueId" || first === "raceDate") problems[first] ??= "Please choose";
  }
  if (days && draft.raceDate && (draft.raceDate < days.today || draft.raceDate > days.lastDay)) {
    const message = draft.raceDate < days.today ? DATE_PASSED_MESSAGE : DATE_TOO_FAR_AHEAD_MESSAGE;
    addMessage(message);
    problems.raceDate = message;
  }
  draft.races.forEach(({ raceNumber }, index) => {
    const isDuplicate = draft.races.slice(0, index).some((race) => race.raceNumber === raceNumber);
    if (!raceNumber || !(isDuplicate || taken.includes(Number(raceNumber)))) return;
    const message = createRaceTakenMessage(Number(raceNumber));
    addMessage(message);
    const race = problems.races[index];
    if (race) race.raceNumber = message;
  });
  return parsed.success && problems.messages.length === 0
    ? { ok: true, batch: parsed.output }
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

/** Returns the message below a field. Unlike the message above the form, it names the field. */
function toFieldMessage(message: string, field: RaceField): string {
  return message === "Please fill in all fields for each race."
    ? `Please enter the ${FIELD_NAMES[field]}`
    : message;
}
