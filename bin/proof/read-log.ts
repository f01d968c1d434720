import { dateAt, isCalendarDate } from "#domain/calendar.ts";
import { formatTilePath, TILE_WIDTH } from "#domain/proof/tile-paths.ts";
import type { ListedTip, ProofLog, Reveal } from "#domain/proof/verify-log.js";
import { parseEntryBundle } from "./entry-bundle.ts";
import type { ReadLogFile } from "./log-files.ts";

type LogParts = Pick<
  ProofLog,
  "keys" | "entries" | "checkpoints" | "reveals" | "names" | "tips"
> & {
  /** The files that entries name, by their SHA-256 in hexadecimal. */
  manifests: Map<string, string>;
  timestamps: TimestampRow[];
};
/** A line of timestamps.jsonl. `file` is the path of an RFC 3161 response. */
export type TimestampRow = { size: number; claimedAt: string; authority: string; file: string };
/** The kinds of entries that name a file. */
const KINDS_WITH_FILE: readonly unknown[] = ["manifest", "rules", "verifier"];
type CheckpointRow = ProofLog["checkpoints"][number];

/** Limits the size accepted from a checkpoint, so that a malicious one cannot make the command run indefinitely. */
const MAX_SIZE = 100_000_000;
/** Limits concurrent downloads, so that reading stops soon after a missing bundle. */
const MAX_CONCURRENT_BUNDLES = 4;

/**
 * Reads a whole log from its files, each at most once. Skips missing files; the verifier reports what they should
 * prove. The evidence of timestamp authorities is read only on request, to be kept: other tools check it. Throws if there is no log, or if a file is not in the format of a log.
 */
export async function readLog(
  files: ReadLogFile,
  { readsEvidence = false }: { readsEvidence?: boolean } = {},
): Promise<LogParts> {
  const [keys, checkpoint] = await Promise.all([
    readText(files, "keys"),
    readText(files, "log/checkpoint"),
  ]);
  if (keys === null || checkpoint === null)
    throw new Error(`No log found: ${keys === null ? "keys" : "log/checkpoint"} is missing.`);

  const byDay = new Map<string, CheckpointRow[]>();
  let entries: string[] = [];
  let size = parseCheckpointSize(checkpoint);
  for (let hasGrown = true; hasGrown; ) {
    entries = await readEntries(files, size, entries);
    const days = entries.map(parseEntryDate).filter((day) => day !== null && !byDay.has(day));
    await forEachDistinct(days, async (day) => {
      byDay.set(day, await readLines<CheckpointRow>(files, `days/${day}/checkpoints.jsonl`));
    });
    // The log may have grown since its newest checkpoint was read. A day is read once, so this ends.
    const sizes = [...byDay.values()].flat().map((row) => parseCheckpointSize(row?.note));
    const largest = sizes.reduce((max, other) => Math.max(max, other), size);
    hasGrown = largest > size;
    size = largest;
  }

  const parsed = entries.map(parseEntry);
  const raceDates = parsed.filter(({ kind }) => kind === "tip").map(({ date }) => toDay(date));
  const reveals = await readAll<Reveal>(files, raceDates, "reveals.jsonl");
  const tips = await readListedTips(files, raceDates);
  const names = await readAll<Reveal>(files, [...byDay.keys()], "creators.jsonl");
  const timestamps = (
    await readAll<TimestampRow>(files, [...byDay.keys()], "timestamps.jsonl")
  ).filter(isTimestampRow);
  const evidence = timestamps.flatMap(({ size, file }) => [file, toCheckpointPath(size)]);
  if (readsEvidence) await forEachDistinct(evidence, async (path) => void (await files(path)));
  const manifests = new Map<string, string>();
  const withFile = parsed.filter(({ kind }) => KINDS_WITH_FILE.includes(kind));
  const hashes = withFile.map(({ file }) => toHash(file));
  await forEachDistinct(hashes, async (hash) => {
    const text = await readText(files, `files/${hash}`);
    if (text !== null) manifests.set(hash, text);
  });

  const rows = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, list]) => list);
  const isListed = rows.some((row) => row?.note === checkpoint);
  return {
    keys: keys.split("\n").filter((line) => line !== ""),
    entries,
    checkpoints: isListed ? rows : [...rows, { note: checkpoint }],
    timestamps,
    reveals,
    ...(tips ? { tips } : {}),
    names,
    manifests,
  };
}

/** Returns the path of a checkpoint as it was signed, which is what its timestamps are of. */
export function toCheckpointPath(size: number): string {
  return `checkpoints/${size}/checkpoint`;
}

/** Validates a line before its values become part of a path. */
function isTimestampRow(row: unknown): row is TimestampRow {
  const { size, claimedAt, authority, file } = (row ?? {}) as Record<string, unknown>;
  return (
    Number.isSafeInteger(size) &&
    Number(size) > 0 &&
    typeof claimedAt === "string" &&
    typeof authority === "string" &&
    /^[a-z0-9][a-z0-9.-]{0,252}$/.test(authority) &&
    file === `checkpoints/${size}/${authority}.tsr`
  );
}

/** Reads the entries up to `size` or the first missing bundle. Reuses the full bundles of `known`. */
async function readEntries(files: ReadLogFile, size: number, known: string[]): Promise<string[]> {
  const first = Math.floor(known.length / TILE_WIDTH);
  const indexes = Array.from(
    { length: Math.max(0, Math.ceil(size / TILE_WIDTH) - first) },
    (_, at) => first + at,
  );
  const entries = known.slice(0, first * TILE_WIDTH);
  for (let at = 0; at < indexes.length; at += MAX_CONCURRENT_BUNDLES) {
    const bundles = await Promise.all(
      indexes.slice(at, at + MAX_CONCURRENT_BUNDLES).map((index) => readBundle(files, size, index)),
    );
    for (const bundle of bundles) {
      if (!bundle) return entries.length > known.length ? entries : known;
      entries.push(...bundle);
    }
  }
  return entries;
}

async function readBundle(
  files: ReadLogFile,
  size: number,
  index: number,
): Promise<string[] | null> {
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  const path = formatTilePath({ level: "entries", index, width });
  const bytes = await files(`log/${path}`);
  if (!bytes) return null;
  const entries = parseEntryBundle(bytes, width);
  if (!entries) throw new Error(`log/${path} is not a bundle of ${width} entries.`);
  return entries;
}

/** Returns null if the log has no list for any of these days, as a copy from an earlier version. */
async function readListedTips(
  files: ReadLogFile,
  days: (string | null)[],
): Promise<ListedTip[] | null> {
  let isFound = false;
  const tips = await readAll<ListedTip>(
    async (path) => {
      const content = await files(path);
      isFound ||= content !== null;
      return content;
    },
    days,
    "tips.jsonl",
  );
  return isFound ? tips : null;
}

async function readAll<Row>(
  files: ReadLogFile,
  days: (string | null)[],
  name: string,
): Promise<Row[]> {
  const rows = new Map<string, Row[]>();
  await forEachDistinct(days, async (day) => {
    rows.set(day, await readLines<Row>(files, `days/${day}/${name}`));
  });
  return [...rows.values()].flat();
}

/** Reads a file with one JSON object a line. The verifier checks the objects. */
async function readLines<Row>(files: ReadLogFile, path: string): Promise<Row[]> {
  const lines = ((await readText(files, path)) ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Row;
    } catch {
      throw new Error(`${path}: line ${index + 1} is not JSON.`);
    }
  });
}

async function readText(files: ReadLogFile, path: string): Promise<string | null> {
  const bytes = await files(path);
  if (!bytes) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not UTF-8.`);
  }
}

/** Runs an action once for each distinct value, skipping null. */
async function forEachDistinct(
  values: (string | null)[],
  action: (value: string) => Promise<void>,
): Promise<void> {
  const distinct = new Set(values.filter((value) => value !== null));
  await Promise.all([...distinct].map(action));
}

/** Returns the size in a checkpoint, 0 for any other text. */
function parseCheckpointSize(note: unknown): number {
  const [, size = "0"] = /^\S+\n(\d{1,15})\n/.exec(typeof note === "string" ? note : "") ?? [];
  if (Number(size) > MAX_SIZE)
    throw new Error(`A checkpoint has ${size} entries, which is too many.`);
  return Number(size);
}

/** Returns the day on which an entry was appended, or null if it has no valid date. */
function parseEntryDate(entry: string): string | null {
  const { at } = parseEntry(entry);
  const time = typeof at === "string" && /^\d{4}-/.test(at) ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? null : toDay(dateAt(new Date(time)));
}

/** Validates a value of an entry before it becomes part of a path. */
function toDay(date: unknown): string | null {
  return typeof date === "string" && isCalendarDate(date) ? date : null;
}

function toHash(file: unknown): string | null {
  return typeof file === "string" && /^[0-9a-f]{64}$/.test(file) ? file : null;
}

/** Returns the fields of an entry, or {} if it is not a JSON object, which the verifier reports. */
function parseEntry(text: string): { [field: string]: unknown } {
  try {
    const entry = JSON.parse(text);
    return typeof entry === "object" && entry !== null ? entry : {};
  } catch {
    return {};
  }
}
