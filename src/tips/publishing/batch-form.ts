import * as v from "valibot";
import {
  computeClosingTime,
  describeClosedRace,
  findRecordWarning,
  type RaceClosing,
  RECORD_DEADLINE_TIME,
} from "#domain/batch.ts";
import { dateAt, instantAt } from "#domain/calendar.ts";
import { foldHorseName, isSameHorseName } from "#domain/horse-key.ts";
import { MAX_RACES } from "#domain/tip.ts";
import {
  type BatchInput,
  batchInput,
  createRaceTakenMessage,
  DATE_PASSED_MESSAGE,
  DATE_TOO_FAR_AHEAD_MESSAGE,
  findLowestUnusedRace,
} from "./batch.input.ts";
import type { BatchDay, OfferedRunner } from "./batch-result.ts";

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

/** Fields that a race takes over from the one before it. */
const isTakenOver = (field: RaceField) => field === "tipType" || field === "confidence";

/** Returns true when nothing was entered for a race besides what it takes over from the one before it. */
export function isBlankRace(race: RaceDraft): boolean {
  return RACE_FIELDS.every(
    (field) => field === "raceNumber" || isTakenOver(field) || race[field].trim() === "",
  );
}

/** Returns true when all fields of a race are filled in but its off time, which need not be known. */
export function isCompleteRace(race: RaceDraft): boolean {
  return RACE_FIELDS.every((field) => field === "raceTime" || race[field].trim() !== "");
}

/** Returns the races that are published: all but the blank ones, or all if every race is blank. */
export function listFilledRaces(races: readonly RaceDraft[]): readonly RaceDraft[] {
  const filled = races.filter((race) => !isBlankRace(race));
  return filled.length > 0 ? filled : races;
}

/** Returns the draft with one field of one race changed. Later blank races take over its tip type and confidence. */
export function changeRaceField(
  draft: BatchDraft,
  index: number,
  field: RaceField,
  value: string,
): BatchDraft {
  const races = draft.races.map((race, each) =>
    each === index || (each > index && isTakenOver(field) && isBlankRace(race))
      ? { ...race, [field]: value }
      : race,
  );
  return { ...draft, races };
}

/**
 * Returns the runner that a text means: its number, its name, both, or the start of its name if no other runner's name
 * starts so; otherwise undefined.
 */
export function findRunnerByText(
  text: string,
  runners: readonly OfferedRunner[],
): OfferedRunner | undefined {
  const [, number, name = ""] = /^\s*(\d{1,2}(?!\d))?\s*(.*)$/.exec(text) ?? [];
  const folded = foldHorseName(name);
  const candidates = number
    ? runners.filter((runner) => String(runner.number) === number.replace(/^0/, ""))
    : runners;
  if (folded === "") return number ? candidates[0] : undefined;
  const startsSo = candidates.filter(({ horseName }) =>
    foldHorseName(horseName).startsWith(folded),
  );
  return (
    startsSo.find(({ horseName }) => foldHorseName(horseName) === folded) ??
    (startsSo.length === 1 ? startsSo[0] : undefined)
  );
}

/**
 * Returns the draft with pasted lines filled in: each into the race that it names, the others into the races from
 * `start` on. Races are added for lines that have none, up to the maximum.
 */
export function fillRaces(
  draft: BatchDraft,
  lines: readonly RaceDraft[],
  start: number,
  { publishedNumbers, runners }: Pick<BatchDay, "publishedNumbers" | "runners">,
): BatchDraft {
  const next = [...draft.races];
  let position = start;
  for (const line of lines) {
    if (line.raceNumber) {
      const named = next.findIndex(({ raceNumber }) => raceNumber === line.raceNumber);
      position = named < 0 ? next.length : named;
    }
    if (position >= MAX_RACES) break;
    const filled = { ...(next[position] ?? createNextRace(next, publishedNumbers)) };
    // A line says the horse by number, by name or both, so nothing is kept of another one.
    filled.horseNumber = "";
    filled.horseName = "";
    for (const field of RACE_FIELDS) if (line[field]) filled[field] = line[field];
    next[position] = filled;
    position += 1;
  }
  return matchRunners({ ...draft, races: next }, runners);
}

/** Returns the running horse that a race's number and name mean, or undefined. */
export function findRunner(
  { horseNumber, horseName }: RaceDraft,
  runners: readonly OfferedRunner[],
): OfferedRunner | undefined {
  const named = runners.find(
    (runner) =>
      String(runner.number) === horseNumber && isSameHorseName(horseName, runner.horseName),
  );
  const runner = named ?? findRunnerByText(`${horseNumber} ${horseName}`, runners);
  return runner?.isScratched ? undefined : runner;
}

/**
 * Returns the draft with the numbers and names of declared runners. In a race with declared runners a horse that is not
 * running loses its number.
 */
export function matchRunners(draft: BatchDraft, runners: readonly OfferedRunner[]): BatchDraft {
  return {
    ...draft,
    races: draft.races.map((race) => {
      const declared = runners.filter(({ raceNumber }) => String(raceNumber) === race.raceNumber);
      if (declared.length === 0 || isBlankRace(race)) return race;
      const runner = findRunner(race, declared);
      const horseName = runner?.horseName ?? `${race.horseNumber} ${race.horseName}`.trim();
      return { ...race, horseNumber: String(runner?.number ?? ""), horseName };
    }),
  };
}

/**
 * Returns a blank race with the lowest number that is in neither the batch nor the race card, and the last race's tip
 * type and confidence.
 */
export function createNextRace(
  races: readonly RaceDraft[],
  publishedNumbers: readonly number[],
): RaceDraft {
  const { tipType = "", confidence = "" } = races.at(-1) ?? {};
  const used = [...races.map((race) => Number(race.raceNumber)), ...publishedNumbers];
  return { ...createBlankRace(findLowestUnusedRace(used)), tipType, confidence };
}

/** Returns when the races of a day with a reported off have closed for tips, by race number. */
export function listClosings(
  { raceDate, offTimes }: BatchDay,
  cutOffMinutes: number,
  at: Date,
): ReadonlyMap<string, RaceClosing> {
  const closings = offTimes.map(({ raceNumber, time }) => {
    const offAt = instantAt(raceDate, time);
    return [
      String(raceNumber),
      { offAt, closedAt: computeClosingTime(offAt, cutOffMinutes) },
    ] as const;
  });
  return new Map(closings.filter(([, { closedAt }]) => closedAt <= at));
}

/**
 * Returns the races of the form after a venue and day was chosen. If all are blank: one for each declared race that is
 * open and not yet published, or `count` races if none is declared. Otherwise only blank races whose number is already
 * published change.
 */
export function layOutRaces(
  races: readonly RaceDraft[],
  { publishedNumbers, offTimes, runners }: BatchDay,
  closings: ReadonlyMap<string, RaceClosing>,
  count: number,
): readonly RaceDraft[] {
  if (!races.every(isBlankRace)) return renumberBlankRaces(races, publishedNumbers);
  const declared = new Set([...offTimes, ...runners].map(({ raceNumber }) => raceNumber));
  const open = [...declared]
    .filter((number) => !publishedNumbers.includes(number) && !closings.has(String(number)))
    .sort((one, other) => one - other);
  const { tipType = "", confidence = "" } = races[0] ?? {};
  if (open.length > 0)
    return open.map((number) => ({ ...createBlankRace(number), tipType, confidence }));
  const next: RaceDraft[] = [];
  while (next.length < count)
    next.push({ ...createNextRace(next, publishedNumbers), tipType, confidence });
  return next;
}

function renumberBlankRaces(
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
      isConflicting(race)
        ? { ...race, raceNumber: createNextRace([...unchanged, ...renumbered], taken).raceNumber }
        : race,
    );
  return renumbered;
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

/** Validates a draft without its blank races. Returns the batch to publish or its validation errors. */
export function validateBatch(
  draft: BatchDraft,
  /** The race numbers that the creator has already published for this venue and day. */
  taken: readonly number[] = [],
  /** The first and last date for tips and the closed races, for validation in the browser. */
  limits?: { today: string; lastDay: string; closings: ReadonlyMap<string, RaceClosing> },
): { ok: true; batch: BatchInput } | { ok: false; problems: BatchProblems } {
  const filled = listFilledRaces(draft.races);
  const parsed = v.safeParse(batchInput, { ...draft, races: filled });
  const problems: BatchProblems = { messages: [], races: draft.races.map(() => ({})) };
  const addMessage = (message: string) => {
    if (!problems.messages.includes(message)) problems.messages.push(message);
  };
  for (const issue of parsed.issues ?? []) {
    addMessage(issue.message);
    const [first, index, field] = issue.path?.map((part) => part.key) ?? [];
    const invalid = filled[Number(index)];
    const race = invalid && problems.races[draft.races.indexOf(invalid)];
    if (first === "races" && race && field)
      race[field as RaceField] ??= toFieldMessage(issue.message, field as RaceField);
    if (first === "venueId" || first === "raceDate") problems[first] ??= "Please choose";
  }
  const { raceDate } = draft;
  if (limits && raceDate && (raceDate < limits.today || raceDate > limits.lastDay)) {
    const message = raceDate < limits.today ? DATE_PASSED_MESSAGE : DATE_TOO_FAR_AHEAD_MESSAGE;
    addMessage(message);
    problems.raceDate = message;
  }
  filled.forEach((filledRace, index) => {
    const { raceNumber } = filledRace;
    const isDuplicate = filled.slice(0, index).some((race) => race.raceNumber === raceNumber);
    const closing = limits?.closings.get(raceNumber);
    const race = problems.races[draft.races.indexOf(filledRace)];
    const refuse = (message: string) => {
      addMessage(message);
      if (race) race.raceNumber = message;
    };
    if (raceNumber && (isDuplicate || taken.includes(Number(raceNumber))))
      refuse(createRaceTakenMessage(Number(raceNumber)));
    else if (closing)
      refuse(createRaceClosedMessage(Number(raceNumber), closing, filled.length > 1));
  });
  return parsed.success && problems.messages.length === 0
    ? { ok: true, batch: parsed.output }
    : { ok: false, problems };
}

/** Returns the message for a race that has closed for tips. */
export function createRaceClosedMessage(
  raceNumber: number,
  closing: RaceClosing,
  hasOthers: boolean,
): string {
  return addWayOn(describeClosedRace(raceNumber, closing), hasOthers);
}

/** Returns why a race is refused, with what to do if the form has other races. */
export function addWayOn(reason: string, hasOthers: boolean): string {
  return hasOthers ? `${reason} Remove it to publish the others.` : reason;
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
