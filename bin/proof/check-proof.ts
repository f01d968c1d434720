import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dateAt } from "#domain/calendar.ts";
import { verifyLog } from "#domain/proof/verify-log.js";
import { isUrl, openLogFiles, writeLogFiles } from "./log-files.ts";
import { readLog, type TimestampRow, toCheckpointPath } from "./read-log.ts";

const USAGE = `Usage: node bin/furlong.mjs proof [verify] URL|FOLDER [FOLDER] [--kept FILE|FOLDER]…
       node bin/furlong.mjs proof confirm|rotate-key|new-log …`;

type Arguments = { source: string; folder: string | null; kept: string[] };
type Context = {
  print: (line: string) => void;
  printError: (line: string) => void;
  now: Date;
};

/**
 * Checks the log of a site or of a folder and prints a summary and one line per finding. Returns the exit code: 0, 1
 * with findings, 2 if the arguments are wrong or the log cannot be read.
 */
export async function checkProof(args: string[], context: Context): Promise<number> {
  const parsed = parseArguments(args);
  if (!parsed.ok) {
    for (const line of [parsed.problem, USAGE]) context.printError(line);
    return 2;
  }
  try {
    return await checkLog(parsed.arguments, context);
  } catch (error) {
    context.printError(toPrintable(error instanceof Error ? error.message : String(error)));
    return 2;
  }
}

function parseArguments(
  args: string[],
): { ok: true; arguments: Arguments } | { ok: false; problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { kept: { type: "string", multiple: true, default: [] } },
      allowPositionals: true,
    });
    const [source, folder = null, ...rest] = positionals;
    if (!source) return { ok: false, problem: "Specify the URL of a site, or a folder." };
    if (rest.length > 0 || (folder !== null && !isUrl(source)))
      return {
        ok: false,
        problem: "Only the log of a site can be saved to a folder, and only to one.",
      };
    return { ok: true, arguments: { source, folder, kept: values.kept } };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function checkLog(
  { source, folder, kept }: Arguments,
  { print, printError, now }: Context,
): Promise<number> {
  const folders = kept.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const copies = await Promise.all(folders.map((path) => readLog(openLogFiles(path))));
  const keptCheckpoints = [
    ...kept.filter((path) => !folders.includes(path)).map(readKeptCheckpoint),
    ...copies.flatMap(({ checkpoints }) => checkpoints.map(({ note }) => note)),
  ];
  // The checkpoints of the other copies are compared, which finds any difference but does not name it.
  const keptEntries = copies.map(({ entries }) => entries).sort((a, b) => b.length - a.length)[0];
  if (folder !== null) createEmptyFolder(folder);
  const { log, files } = await readSource(source, folder !== null);
  if (folder !== null) writeLogFiles(folder, files);
  const { origin, signaturesChecked, findings, ...counts } = await verifyLog({
    ...log,
    keptCheckpoints,
    keptEntries: keptEntries ?? [],
    now: now.toISOString(),
    today: dateAt(now),
  });
  const { entries, checkpoints, creators, tips, timestamped, due, revealed, withdrawnLater } =
    counts;
  const name = toPrintable(origin ?? "no verifier key");
  print(
    `${name}  ${entries} entries, ${checkpoints} checkpoints, ${creators} creators; ${tips} tips, ${due} due, ${revealed} revealed`,
  );
  if (withdrawnLater > 0) print(`${withdrawnLater} tips were hidden or deleted after the off.`);
  if (!log.tips)
    print("No list of tips was found, so tips that the site does not list were not looked for.");
  if (log.timestamps.length > 0) {
    print(
      `${timestamped} of ${tips} tips were seen by a timestamp authority before the off, as the site states. Check what it states:`,
    );
    for (const line of describeEvidence(log.timestamps, folder ?? (isUrl(source) ? null : source)))
      print(toPrintable(line));
  }
  if (!signaturesChecked)
    printError("The signatures were not checked: this Node.js has no Ed25519.");
  for (const { kind, index, message } of findings)
    print(`${kind.padEnd(12)}  ${String(index ?? "-").padStart(6)}  ${toPrintable(message)}`);
  return findings.length > 0 || !signaturesChecked ? 1 : 0;
}

/** Returns for each timestamp authority how its newest timestamp is checked. */
function describeEvidence(timestamps: readonly TimestampRow[], folder: string | null): string[] {
  const newest = new Map<string, TimestampRow>();
  for (const row of timestamps)
    if ((newest.get(row.authority)?.size ?? 0) < row.size) newest.set(row.authority, row);
  return [...newest.values()].map(({ authority, size, claimedAt, file }) => {
    const counted = timestamps.filter((row) => row.authority === authority).length;
    const name = `  ${authority}: ${counted}, the newest of ${size} entries at ${claimedAt}. `;
    if (!folder) return `${name}Add the name of a folder to keep them.`;
    return `${name}openssl ts -verify -data ${quote(join(folder, toCheckpointPath(size)))} -in ${quote(join(folder, file))} -CAfile AUTHORITY.pem`;
  });
}

/** Quotes a path for a shell if it needs it. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

async function readSource(source: string, readsEvidence: boolean) {
  const files = new Map<string, Uint8Array>();
  const read = openLogFiles(source);
  const log = await readLog(
    async (path) => {
      const content = await read(path);
      if (content) files.set(path, content);
      return content;
    },
    { readsEvidence },
  );
  return { log, files };
}

/** Reads a checkpoint that was copied from an email: without the quotation marks and spaces that mail programs add. */
function readKeptCheckpoint(path: string): string {
  try {
    const lines = readFileSync(path, "utf8")
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/);
    const note = lines.map((line) => line.replace(/^(?:> ?)+/, "").trim()).join("\n");
    return `${note.trim()}\n`;
  } catch (error) {
    throw new Error(
      `Can't read the checkpoint ${path} (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** Creates the folder. Throws if it is not empty, because an earlier download is evidence. */
function createEmptyFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats && (!stats.isDirectory() || readdirSync(folder).length > 0))
    throw new Error(`${folder} is not an empty folder. Nothing was downloaded.`);
  mkdirSync(folder, { recursive: true });
}

/** Replaces control characters, because a terminal could interpret those of an untrusted log. */
function toPrintable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
}
