import type { RunnerInput } from "./race-day.input.ts";
import type { Runner } from "./read-declared-races.server.ts";

type ParsedRunners = { runners: RunnerInput[]; error: string | null };

const COLUMNS = ["number", "horse", "jockey", "trainer", "draw", "status"] as const;
const SCRATCHED = new Set(["scratched", "scr", "s", "non-runner", "nr"]);
const DECLARED = new Set(["", "ran", "declared", "runner"]);
/** Matches a scratching at the end of a line that leaves out columns, with any separator. */
const SCRATCHED_AT_END = /,\s*(scratched|non-runner)[\s,]*$/i;
const HEADER = /^(race|number|no\.?|nr\.?|#)$/i;

/**
 * Parses the runners of one race, one per line: number, horse, jockey, trainer, draw and status,
 * separated by tabs (as copied from a spreadsheet) or commas. A line that ends with ", scratched" may
 * leave out the columns before it. Skips empty lines and a header. `raceDayInput` validates the values.
 */
export function parseRunners(text: string): ParsedRunners {
  const runners: RunnerInput[] = [];
  for (const { cells, lineNumber, isScratched } of splitLines(text)) {
    const parsed = parseRunner(cells, isScratched);
    if (typeof parsed === "string") return { runners: [], error: `Line ${lineNumber}: ${parsed}` };
    runners.push(parsed);
  }
  return { runners, error: null };
}

/** Parses the runners of a whole day: lines as for `parseRunners`, each starting with the race number. */
export function parseRunnersOfDay(text: string): {
  byRace: Map<number, RunnerInput[]>;
  error: string | null;
} {
  const byRace = new Map<number, RunnerInput[]>();
  const refuse = (lineNumber: number, message: string) => ({
    byRace: new Map<number, RunnerInput[]>(),
    error: `Line ${lineNumber}: ${message}`,
  });
  for (const { cells, lineNumber, isScratched } of splitLines(text)) {
    const raceNumber = parseNumber(cells[0]?.replace(/^(race|r)\s*/i, ""));
    if (raceNumber === null) return refuse(lineNumber, "start with the race number");
    const parsed = parseRunner(cells.slice(1), isScratched);
    if (typeof parsed === "string") return refuse(lineNumber, parsed);
    const runners = byRace.get(raceNumber);
    if (runners) runners.push(parsed);
    else byRace.set(raceNumber, [parsed]);
  }
  return { byRace, error: null };
}

/** Formats runners as text that `parseRunners` can parse. */
export function formatRunners(runners: readonly Runner[]): string {
  return runners
    .map(({ number, horseName, jockey, trainer, draw, isScratched }) =>
      [number, horseName, jockey ?? "", trainer ?? "", draw ?? "", isScratched ? "scratched" : ""]
        .join("\t")
        .trimEnd(),
    )
    .join("\n");
}

type Line = { cells: string[]; lineNumber: number; isScratched: boolean };

function splitLines(text: string): Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => {
      const isScratched = SCRATCHED_AT_END.test(line);
      const columns = isScratched ? line.replace(SCRATCHED_AT_END, "").trimEnd() : line;
      return {
        cells: columns.split(columns.includes("\t") ? "\t" : ",").map((cell) => cell.trim()),
        lineNumber: index + 1,
        isScratched,
      };
    })
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .filter(({ cells }, index) => index > 0 || !HEADER.test(cells[0] ?? ""));
}

/** Returns the runner of a line, or an error message. */
function parseRunner(cells: readonly string[], isMarked: boolean): RunnerInput | string {
  if (cells.slice(COLUMNS.length).some((cell) => cell !== ""))
    return `too many columns. Enter ${COLUMNS.join(", ")}`;
  const [numberText, horseName = "", jockey = "", trainer = "", drawText = "", status = ""] = cells;
  const number = parseNumber(numberText?.replace(/^#/, ""));
  if (number === null) return "start with the horse number";
  const draw = drawText === "" ? null : parseNumber(drawText);
  if (drawText !== "" && draw === null) return `draw "${drawText}" is not a number`;
  const isScratched = isMarked || SCRATCHED.has(status.toLowerCase());
  if (!isScratched && !DECLARED.has(status.toLowerCase()))
    return `status "${status}" is unknown. Enter "scratched", or nothing`;
  return { number, horseName, jockey: jockey || null, trainer: trainer || null, draw, isScratched };
}

function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,2}$/.test(text.trim()) ? Number(text) : null;
}
