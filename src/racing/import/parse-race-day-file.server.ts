import { isCalendarDate } from "#domain/calendar.ts";
import { hasControlCharacters } from "#domain/control-characters.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { GOINGS, MAX_RACE_NAME, SURFACES } from "#domain/race-day.ts";
import {
  INVALID_DIVIDEND_MESSAGE,
  INVALID_PRICE_MESSAGE,
  isRunStatus,
  parseDividend,
  parseStartingPrice,
  RESULT_STATUSES,
  type ResultStatus,
  type RunnerOutcome,
} from "#domain/race-result.ts";
import { MAX_HORSE_NUMBER, MAX_RACES } from "#domain/tip.ts";
import type { FileRace, FileResultRunner, FileRunner, RaceDayFile } from "./race-day-file.ts";
import { type Column, type RaceDayRow, readRaceDayRows } from "./read-race-day-rows.server.ts";

type ParsedRaceDayFile = { ok: true; meetings: RaceDayFile[] } | { ok: false; problems: string[] };

/** The largest number of problems that is reported for a file. */
const MAX_PROBLEMS = 20;

/** Matches the characters with which a formula starts in spreadsheets. */
const FORMULA_START = /^[=+\-@]/;

/** The result of a race as collected from its rows. */
type ResultDraft = {
  status: ResultStatus | null;
  placesPaid: number | null;
  sourceUrl: string | null;
  runners: FileResultRunner[];
  /** The position in the file and the column of the first value of the result. */
  first: { place: string; column: Column } | null;
};

type Contents = {
  meetings: Map<string, RaceDayFile>;
  drafts: Map<FileRace, ResultDraft>;
  problems: string[];
};

/**
 * Parses a race day file in CSV or JSON. Returns the declarations and results of its meetings, or the
 * problems with their position in the file. Does not look up venues or stored races.
 */
export function parseRaceDayFile(text: string): ParsedRaceDayFile {
  const result = readRaceDayRows(text);
  if (!result.ok) return result;
  const contents: Contents = { meetings: new Map(), drafts: new Map(), problems: [] };
  const { meetings, problems } = contents;
  for (const row of result.rows) addRow(row, contents);
  if (problems.length === 0) addResults(contents);
  if (problems.length === 0) return { ok: true, meetings: [...meetings.values()] };
  const rest = problems.length - MAX_PROBLEMS;
  return {
    ok: false,
    problems: [
      ...problems.slice(0, MAX_PROBLEMS),
      ...(rest > 0 ? [`${rest} more ${rest === 1 ? "problem" : "problems"}`] : []),
    ],
  };
}

/** Adds a row to its meeting and race, or adds its problems. */
function addRow({ place, cells: own }: RaceDayRow, { meetings, drafts, problems }: Contents): void {
  const cells = translateOutcome(own);
  const before = problems.length;
  const report = (message: string) => problems.push(`${place}: ${message}`);
  for (const [column, cell] of Object.entries(cells)) {
    if (!cell) continue;
    if (FORMULA_START.test(cell))
      report(`${column} starts with ${cell[0]}. Formulas are not imported.`);
    else if (hasControlCharacters(cell))
      report(`${column} has a line break or another control character.`);
  }
  const read = createCellReader(cells, report);
  const raceDate = (cells.date ?? "").replace(/^(\d{4})\/(\d\d)\/(\d\d)$/, "$1-$2-$3");
  if (!isCalendarDate(raceDate)) report("date must be a date such as 2026-11-21.");
  const venue = read.text("venue", 80);
  if (!venue) report("venue is missing.");
  const raceNumber = read.number("race", 1, MAX_RACES);
  if (raceNumber === null && !cells.race) report("race is missing.");
  const off = cells.off ? parseTime(cells.off) : null;
  if (cells.off && off === null)
    report(`${INVALID_OFF_TIME_MESSAGE}. No race is run from 01:00 to 06:59.`);
  const race = {
    time: off,
    name: read.text("name", MAX_RACE_NAME),
    distanceMetres: read.number("distance_m", 400, 6000),
    surface: read.choice("surface", SURFACES),
  };
  const meeting = { going: read.choice("going", GOINGS), source: read.text("source", 80) };
  const result = {
    status: read.choice("result_status", RESULT_STATUSES),
    placesPaid: read.number("places_paid", 0, 6),
    sourceUrl: readSourceUrl(read, report),
  };
  const runner = readRunner(cells, read, report);
  const resultRunner = readResultRunner(cells, read, report);
  if (problems.length > before || !venue || raceNumber === null) return;
  const meetingKey = `${raceDate} ${venue.toLowerCase()}`;
  const target = meetings.get(meetingKey) ?? {
    raceDate,
    venue,
    going: null,
    source: null,
    races: [],
  };
  meetings.set(meetingKey, target);
  setOnce(target, meeting, report);
  let targetRace = target.races.find((each) => each.raceNumber === raceNumber);
  if (!targetRace) {
    targetRace = {
      raceNumber,
      time: null,
      name: null,
      distanceMetres: null,
      surface: null,
      runners: [],
      result: null,
    } satisfies FileRace;
    target.races.push(targetRace);
  }
  setOnce(targetRace, race, report);
  const draft = drafts.get(targetRace) ?? createDraft();
  drafts.set(targetRace, draft);
  const column = RESULT_COLUMNS.find((each) => cells[each]) ?? (isResultStatus(cells) && "status");
  if (column) draft.first ??= { place, column };
  setOnce(draft, result, report);
  if (resultRunner) draft.runners.push(resultRunner);
  if (!runner) return;
  if (targetRace.runners.some((each) => each.number === runner.number))
    report(`race ${raceNumber} has horse ${runner.number} twice.`);
  else targetRace.runners.push(runner);
}

function createDraft(): ResultDraft {
  return { status: null, placesPaid: null, sourceUrl: null, runners: [], first: null };
}

/** Adds the results to their races. Reports results that are incomplete or inconsistent. */
function addResults({ meetings, drafts, problems }: Contents): void {
  for (const meeting of meetings.values()) {
    const races = meeting.races.map((race) => ({ race, draft: drafts.get(race) ?? createDraft() }));
    for (const { race, draft } of races) {
      const { status, placesPaid, sourceUrl, first } = draft;
      if (first === null) continue;
      const report = (message: string) =>
        problems.push(`${first.place}: race ${race.raceNumber} ${message}`);
      const runners = draft.runners.filter(hasValues);
      const wasRun = runners.some(({ outcome }) => outcome !== "non-runner") || placesPaid;
      if (status === null) report(`has ${first.column}, but no result_status.`);
      else if (!isRunStatus(status) && wasRun)
        report(`is ${status}, but has positions, prices, places or horses that ran.`);
      else
        race.result = {
          status,
          placesPaid,
          sourceUrl,
          runners: isRunStatus(status) ? runners : [],
        };
    }
    if (races.every(({ draft }) => draft.first === null) && races.some(hasSourceUrl))
      problems.push(
        `${meeting.venue}, ${meeting.raceDate}: source_url is filled in, but no race has a result.`,
      );
  }
}

const hasSourceUrl = ({ draft }: { draft: ResultDraft }) => draft.sourceUrl !== null;

function hasValues({ number: _, ...values }: FileResultRunner): boolean {
  return Object.values(values).some((value) => value !== null);
}

/** Sets the values that are not null. Reports a value that contradicts an earlier row. */
function setOnce<Target extends object>(
  target: Target,
  values: Partial<NoInfer<Target>>,
  report: (message: string) => void,
): void {
  for (const key of Object.keys(values) as (keyof Target & string)[]) {
    const value = values[key];
    if (value === null || value === undefined) continue;
    const previous = target[key];
    if (previous !== null && previous !== value)
      report(`${COLUMN_OF_FIELD[key] ?? key} is ${value}, but ${previous} in a line above.`);
    else target[key] = value as Target[typeof key];
  }
}

const COLUMN_OF_FIELD: Readonly<Record<string, string>> = {
  time: "off",
  distanceMetres: "distance_m",
  status: "result_status",
  placesPaid: "places_paid",
  sourceUrl: "source_url",
};

type CellReader = ReturnType<typeof createCellReader>;

/** Returns functions that parse the cells of a row. They return null for empty cells and report invalid ones. */
function createCellReader(cells: Cells, report: (message: string) => void) {
  return {
    text(column: Column, maxLength: number): string | null {
      const cell = cells[column] ?? "";
      if (cell.length <= maxLength) return cell || null;
      report(`${column} is longer than ${maxLength} characters.`);
      return null;
    },
    number(column: Column, min: number, max: number): number | null {
      const cell = cells[column] ?? "";
      if (cell === "") return null;
      const value = /^\d{1,5}$/.test(cell) ? Number(cell) : Number.NaN;
      if (value >= min && value <= max) return value;
      report(`${column} must be a number from ${min} to ${max}.`);
      return null;
    },
    choice<Choice extends string>(column: Column, choices: readonly Choice[]): Choice | null {
      const cell = (cells[column] ?? "").toLowerCase();
      if (cell === "") return null;
      const choice = choices.find((each) => each.toLowerCase() === cell);
      if (choice) return choice;
      report(`${column} must be one of ${choices.join(", ")}.`);
      return null;
    },
  };
}

const RESULT_COLUMNS = ["position", "sp", "win", "place", "result_status", "places_paid"] as const;
const RUNNER_COLUMNS = [
  "horse",
  "jockey",
  "trainer",
  "draw",
  "status",
  "position",
  "sp",
  "win",
  "place",
] as const;

const DECLARATION_STATUSES = ["declared", "scratched"] as const;
/** The statuses of horses in a result. A horse that finished has a position or the status `unplaced`. */
const OUTCOMES = {
  ran: "finished",
  unplaced: "finished",
  dnf: "did-not-finish",
  disqualified: "disqualified",
} as const satisfies Record<string, RunnerOutcome>;
const STATUSES = [
  ...DECLARATION_STATUSES,
  ...(Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]),
] as const;

type Cells = Partial<Record<Column, string>>;

/** Racing's codes for a horse that pulled up, fell, unseated its rider, was brought down or ran out. */
const NOT_FINISHED = new Set(["pu", "f", "ur", "bd", "ro"]);

/** Returns the cells with the status `dnf` for a code of `NOT_FINISHED` in the status or in the position. */
function translateOutcome(cells: Cells): Cells {
  const isCode = (cell = "") => NOT_FINISHED.has(cell.toLowerCase());
  const status = isCode(cells.status) ? "dnf" : cells.status;
  return isCode(cells.position) && (!status || status.toLowerCase() === "dnf")
    ? { ...cells, position: "", status: "dnf" }
    : { ...cells, ...(status !== undefined && { status }) };
}

const isResultStatus = ({ status = "" }: Cells) => Object.hasOwn(OUTCOMES, status.toLowerCase());

/** Returns the runner of a row, or null for a row that only describes its race. */
function readRunner(
  cells: Cells,
  read: CellReader,
  report: (message: string) => void,
): FileRunner | null {
  const number = read.number("number", 1, MAX_HORSE_NUMBER);
  const filled = RUNNER_COLUMNS.filter((column) => cells[column]);
  if (!cells.number && filled.length > 0) report(`number is missing, but ${filled[0]} is not.`);
  const status = read.choice("status", STATUSES);
  const runner = {
    horseName: read.text("horse", 60),
    jockey: read.text("jockey", 60),
    trainer: read.text("trainer", 60),
    draw: read.number("draw", 1, MAX_HORSE_NUMBER),
    isScratched: status === "declared" || status === "scratched" ? status === "scratched" : null,
  };
  return number === null ? null : { number, ...runner };
}

/** Returns the result of a row's horse, or null for a row without a horse. */
function readResultRunner(
  cells: Cells,
  read: CellReader,
  report: (message: string) => void,
): FileResultRunner | null {
  if (!/^\d{1,2}$/.test(cells.number ?? "")) return null;
  const position = read.number("position", 1, MAX_HORSE_NUMBER);
  const startingPrice = readParsed(cells, "sp", parseStartingPrice, INVALID_PRICE_MESSAGE, report);
  const winDividendCents = readParsed(
    cells,
    "win",
    parseDividend,
    INVALID_DIVIDEND_MESSAGE,
    report,
  );
  const placeDividendCents = readParsed(
    cells,
    "place",
    parseDividend,
    INVALID_DIVIDEND_MESSAGE,
    report,
  );
  const status = STATUSES.find((each) => each === cells.status?.toLowerCase());
  if (position !== null && ["unplaced", "dnf", "disqualified", "scratched"].includes(status ?? ""))
    report(`horse ${cells.number} is ${status}, but has position ${position}.`);
  const filled = (["sp", "win", "place"] as const).find((column) => cells[column]);
  if (status === "scratched" && filled)
    report(`horse ${cells.number} is scratched, but has ${filled}.`);
  const hasFinished = position ?? startingPrice ?? winDividendCents ?? placeDividendCents;
  return {
    number: Number(cells.number),
    outcome:
      status === "scratched"
        ? "non-runner"
        : status && status !== "declared"
          ? OUTCOMES[status]
          : hasFinished === null
            ? null
            : "finished",
    position,
    startingPrice,
    winDividendCents,
    placeDividendCents,
  };
}

function readParsed<Value>(
  cells: Cells,
  column: "sp" | "win" | "place",
  parse: (text: string) => Value | null,
  message: string,
  report: (message: string) => void,
): Value | null {
  const cell = cells[column] ?? "";
  if (cell === "") return null;
  const value = parse(cell);
  if (value === null) report(`${column} is ${cell.slice(0, 20)}. ${message}.`);
  return value;
}

function readSourceUrl(read: CellReader, report: (message: string) => void): string | null {
  const url = read.text("source_url", 500);
  if (url === null || (/^https?:\/\/[^\s]+$/.test(url) && URL.canParse(url))) return url;
  report("source_url must be an address that starts with https://.");
  return null;
}
