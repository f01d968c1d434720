import { CsvError, parse } from "csv-parse/sync";

// Converts a race day file in CSV or JSON to rows of text. docs/race-day-files.md describes the format.

const COLUMN_NAMES = [
  "date",
  "venue",
  "race",
  "off",
  "name",
  "distance_m",
  "surface",
  "going",
  "number",
  "horse",
  "jockey",
  "trainer",
  "draw",
  "status",
  "source",
  "position",
  "sp",
  "win",
  "place",
  "result_status",
  "places_paid",
  "source_url",
] as const;

export type Column = (typeof COLUMN_NAMES)[number];

const COLUMNS: ReadonlySet<string> = new Set(COLUMN_NAMES);
const REQUIRED_COLUMNS = ["date", "venue", "race"] as const;

/** A line of a CSV file, or a runner or race of a JSON file. `place` is its position in the file. */
export type RaceDayRow = { place: string; cells: Partial<Record<Column, string>> };

type RowsResult = { ok: true; rows: RaceDayRow[] } | { ok: false; problems: string[] };

export const MAX_FILE_BYTES = 1024 * 1024;
const MAX_ROWS = 2_000;

const refuse = (...problems: string[]): RowsResult => ({ ok: false, problems });
const tooManyRows = (kind: string): RowsResult =>
  refuse(`The file has more than ${MAX_ROWS.toLocaleString("en")} ${kind}. Split it by meeting.`);

/** Decodes the bytes of a file. Refuses files that are too large, not UTF-8, or not text. */
export function decodeRaceDayFile(
  bytes: Uint8Array,
): { ok: true; text: string } | { ok: false; problems: string[] } {
  if (bytes.byteLength > MAX_FILE_BYTES)
    return { ok: false, problems: ["The file is larger than 1 MB. Split it by meeting."] };
  try {
    // Removes a byte order mark.
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return {
      ok: false,
      problems: ["The file is not encoded in UTF-8. Save it as “CSV UTF-8” and import it again."],
    };
  }
}

/** Reads the rows of a file. Refuses unknown columns by name. */
export function readRaceDayRows(text: string): RowsResult {
  if (text.length > MAX_FILE_BYTES)
    return refuse("The file is larger than 1 MB. Split it by meeting.");
  if (text.trim() === "") return refuse("The file is empty.");
  if (text.includes("\0")) return refuse("The file is not a text file. Save it as “CSV UTF-8”.");
  return /^\s*[[{]/.test(text) ? readJsonRows(text) : readCsvRows(text);
}

function readCsvRows(text: string): RowsResult {
  let lines: { record: string[]; info: { lines: number } }[];
  try {
    const separator = /^sep=(.)\r?\n/i.exec(text)?.[1];
    // With `info`, each record has its line number. The library's types do not declare this.
    lines = parse(text, {
      delimiter: separator ?? findDelimiter(text),
      from_line: separator ? 2 : 1,
      record_delimiter: ["\r\n", "\n", "\r"],
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      // Reads one row more than allowed, to detect a file that is too long.
      to: MAX_ROWS + 2,
    }) as unknown as typeof lines;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(`The file is not valid CSV: ${error.message}`);
  }
  const [header, ...rest] = lines;
  if (!header || rest.length === 0) return refuse("The file has no lines below its header.");
  const columns = dropEmptyEnd(header.record).map((name) => name.toLowerCase());
  const problems = findColumnProblems(columns);
  if (problems.length > 0) return refuse(...problems);
  if (rest.length > MAX_ROWS) return tooManyRows("lines");
  const rows: RaceDayRow[] = [];
  for (const { record: untrimmed, info } of rest) {
    const record = dropEmptyEnd(untrimmed);
    if (record.length === 0) continue;
    const place = `Line ${info.lines}`;
    if (record.length > columns.length)
      return refuse(
        `${place} has ${record.length} values, but there are ${columns.length} columns.`,
      );
    rows.push({
      place,
      cells: Object.fromEntries(
        record.map((cell, index) => [columns[index] ?? "", toPlainCell(cell)]),
      ),
    });
  }
  return rows.length > 0 ? { ok: true, rows } : refuse("The file has no lines below its header.");
}

/** Returns the trimmed cells up to the last one that is not empty: spreadsheets write a separator for each empty one. */
function dropEmptyEnd(record: readonly string[]): string[] {
  const cells = record.map((cell) => cell.trim());
  return cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);
}

/** Returns the delimiter of the header: a tab, a semicolon or a comma. */
function findDelimiter(text: string): string {
  const header = text.trimStart().split(/\r|\n/, 1)[0] ?? "";
  return ["\t", ";"].find((delimiter) => header.includes(delimiter)) ?? ",";
}

function findColumnProblems(columns: readonly string[]): string[] {
  const unknown = columns.filter((name) => !COLUMNS.has(name));
  const duplicates = columns.filter((name, index) => columns.indexOf(name) !== index);
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  return [
    ...new Set(unknown.map((name) => `Unknown column: ${name || "a column without a name"}`)),
    ...new Set(
      duplicates.filter((name) => COLUMNS.has(name)).map((name) => `Column twice: ${name}`),
    ),
    ...missing.map((name) => `Missing column: ${name}`),
  ];
}

/** Returns a cell as spreadsheets should have written it: `4` for `4.0`, and nothing for a dash. */
function toPlainCell(cell: string): string {
  return /^[-–—]$/.test(cell) ? "" : cell.replace(/^(\d+)\.0+$/, "$1");
}

const LEVELS = {
  meeting: { columns: ["date", "venue", "going", "source", "source_url"], children: "races" },
  race: {
    columns: [
      "race",
      "off",
      "name",
      "distance_m",
      "surface",
      "result_status",
      "places_paid",
      "source_url",
    ],
    children: "runners",
  },
  runner: {
    columns: [
      "number",
      "horse",
      "jockey",
      "trainer",
      "draw",
      "status",
      "position",
      "sp",
      "win",
      "place",
    ],
    children: null,
  },
} as const satisfies Record<string, { columns: readonly Column[]; children: string | null }>;

type Level = keyof typeof LEVELS;

class JsonProblem extends Error {}

/** Reads one meeting, or a list of meetings, as nested objects. */
function readJsonRows(text: string): RowsResult {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return refuse(`The file is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
  const rows: RaceDayRow[] = [];
  try {
    const meetings = Array.isArray(content) ? content : [content];
    meetings.forEach((meeting: unknown, meetingIndex) => {
      const place = `Meeting ${meetingIndex + 1}`;
      const { cells, children: races } = readJsonObject(meeting, "meeting", place);
      races.forEach((race, raceIndex) => {
        const racePlace = `${place}, race ${raceIndex + 1}`;
        const { cells: raceCells, children: runners } = readJsonObject(race, "race", racePlace);
        const shared = { ...cells, ...raceCells };
        if (runners.length === 0) rows.push({ place: racePlace, cells: shared });
        runners.forEach((runner, runnerIndex) => {
          const runnerPlace = `${racePlace}, runner ${runnerIndex + 1}`;
          const { cells: runnerCells } = readJsonObject(runner, "runner", runnerPlace);
          rows.push({ place: runnerPlace, cells: { ...shared, ...runnerCells } });
        });
      });
    });
  } catch (error) {
    if (error instanceof JsonProblem) return refuse(error.message);
    throw error;
  }
  if (rows.length > MAX_ROWS) return tooManyRows("runners");
  return rows.length > 0 ? { ok: true, rows } : refuse("The file has no races.");
}

function readJsonObject(
  value: unknown,
  level: Level,
  place: string,
): { cells: RaceDayRow["cells"]; children: unknown[] } {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new JsonProblem(`${place} is not an object.`);
  const { columns, children: childrenKey } = LEVELS[level];
  const cells: Partial<Record<Column, string>> = {};
  let children: unknown[] = [];
  for (const [key, content] of Object.entries(value)) {
    if (key === childrenKey) {
      if (!Array.isArray(content)) throw new JsonProblem(`${place}: ${key} is not a list.`);
      children = content;
    } else if (!(columns as readonly string[]).includes(key)) {
      throw new JsonProblem(`Unknown column: ${key} (${place.toLowerCase()})`);
    } else if (content !== null && typeof content !== "string" && typeof content !== "number") {
      throw new JsonProblem(`${place}: ${key} is neither text nor a number.`);
    } else {
      cells[key as Column] = content === null ? "" : toPlainCell(String(content).trim());
    }
  }
  return { cells, children };
}
