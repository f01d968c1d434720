import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import type { ListedTip, Reveal, Timestamp, Verification } from "#domain/proof/verify-log.js";

type Verifier = typeof import("#domain/proof/verify-log.js");

export const VERIFIER_PATH = "/proof/verify.js";

/** The files of a day, in the order in which the page lists them. */
export const DAY_FILES = [
  "entries.jsonl",
  "checkpoints.jsonl",
  "timestamps.jsonl",
  "left-edge.jsonl",
  "reveals.jsonl",
  "tips.jsonl",
  "creators.jsonl",
] as const;

/** Returns the path of a file of a day. */
export function dayFilePath(date: CalendarDate, file: (typeof DAY_FILES)[number]): string {
  return `/proof/days/${date}/${file}`;
}

/**
 * Loads the verifier that the site serves. A browser may remember that a script did not load, so each attempt has a
 * URL of its own.
 */
export async function loadVerifier(attempt = 1): Promise<Verifier> {
  const path = attempt > 1 ? `${VERIFIER_PATH}?attempt=${attempt}` : VERIFIER_PATH;
  return await import(/* @vite-ignore */ path);
}

/**
 * Downloads the files of a South African day and checks them with the verifier at an instant. `kept` is the text
 * of an earlier entries.jsonl of the day. Throws if a file cannot be loaded.
 */
export async function checkDay(
  date: CalendarDate,
  { verifyLog }: Pick<Verifier, "verifyLog">,
  at: Date,
  kept: string | null = null,
): Promise<Verification> {
  const today = dateAt(at);
  // The log may grow meanwhile. What is loaded later holds all that was loaded before.
  const [keys, checkpointRows] = await Promise.all([
    loadText("/proof/keys"),
    loadLines(dayFilePath(date, "checkpoints.jsonl")),
  ]);
  const [entryRows, edgeRows, names, timestamps] = await Promise.all([
    loadLines(dayFilePath(date, "entries.jsonl")),
    loadLines(dayFilePath(date, "left-edge.jsonl")),
    loadLines(dayFilePath(date, "creators.jsonl")),
    loadLines(dayFilePath(date, "timestamps.jsonl")),
  ]);
  const [edge] = edgeRows;
  const first = typeof edge?.size === "number" ? edge.size : 0;
  const checkpoints = checkpointRows.map(({ note, signedAt }) => ({
    note: toText(note),
    signedAt: toText(signedAt),
  }));
  const signedSize = Math.max(...checkpointRows.map(({ size }) => Number(size) || 0));
  const texts = entryRows.map(({ entry }) => toText(entry));
  const isGrowing = date === today && signedSize > first;
  const entries = isGrowing ? texts.slice(0, signedSize - first) : texts;
  const { tipKeys, raceDates, manifestHashes } = findReferences(entries);
  const loadOfRaces = async (file: (typeof DAY_FILES)[number]) => {
    const rows = await Promise.all(raceDates.map((day) => loadLines(dayFilePath(day, file))));
    // Those without a creator are in no log, so they concern each day.
    return rows.flat().filter((row) => row.creator === null || tipKeys.has(toKey(row)));
  };
  const [reveals, tips, manifests] = await Promise.all([
    loadOfRaces("reveals.jsonl"),
    loadOfRaces("tips.jsonl"),
    Promise.all(manifestHashes.map(async (hash) => [hash, await loadManifest(hash)] as const)),
  ]);
  return await verifyLog({
    keys: keys.split("\n").filter((key) => key !== ""),
    entries,
    first,
    leftEdge: Array.isArray(edge?.hashes) ? edge.hashes : [],
    checkpoints,
    timestamps: timestamps as Timestamp[],
    keptEntries: kept === null ? [] : parseLines(kept).map(({ entry }) => toText(entry)),
    reveals: reveals as Reveal[],
    tips: tips as ListedTip[],
    names: names as Reveal[],
    manifests: new Map(manifests.filter((file): file is [string, string] => file[1] !== null)),
    now: at.toISOString(),
    today,
  });
}

type Row = Record<string, unknown>;

/** Finds the files that the entries refer to: the reveals of their race dates, and their manifests. */
function findReferences(entries: readonly string[]) {
  const tipKeys = new Set<string>();
  const raceDates = new Set<CalendarDate>();
  const manifestHashes = new Set<string>();
  for (const entry of entries.map(parseObject)) {
    if (entry.kind === "tip") {
      tipKeys.add(toKey(entry));
      if (isDate(entry.date)) raceDates.add(entry.date);
    }
    if (entry.kind === "manifest" && /^[0-9a-f]{64}$/.test(toText(entry.file)))
      manifestHashes.add(toText(entry.file));
  }
  return { tipKeys, raceDates: [...raceDates], manifestHashes: [...manifestHashes] };
}

function isDate(value: unknown): value is CalendarDate {
  return /^\d{4}-\d\d-\d\d$/.test(toText(value));
}

function toKey({ creator, seq }: Row): string {
  return `${creator} ${seq}`;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns an empty object for a line that is no object: the verifier reports what is missing. */
function parseObject(text: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Row) : {};
  } catch {
    return {};
  }
}

async function loadLines(path: string): Promise<Row[]> {
  return parseLines(await loadText(path));
}

function parseLines(text: string): Row[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(parseObject);
}

/** Returns null if the site does not have the file, which is a finding. */
async function loadManifest(hash: string): Promise<string | null> {
  const response = await fetch(`/proof/files/${hash}`);
  return response.status === 404 ? null : await readText(response);
}

async function loadText(path: string): Promise<string> {
  // A copy in the browser's cache may be older than what the other files hold.
  return await readText(await fetch(path, { cache: "no-store" }));
}

async function readText(response: Response): Promise<string> {
  if (!response.ok) throw new Error(`${response.url} was answered with ${response.status}`);
  return await response.text();
}
