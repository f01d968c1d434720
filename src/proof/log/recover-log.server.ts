import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { dateAt } from "#domain/calendar.ts";
import { hashLeaf } from "#domain/proof/merkle-tree.ts";
import { parseCheckpoint } from "#domain/proof/signed-note.server.ts";
import { verifyLog } from "#domain/proof/verify-log.js";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { storeFile } from "../files/files.server.ts";
import { readVerifierKeys } from "../files/log-files.route.ts";
import { mirrorFolderOf, readMirrorCheckpoint } from "../mirror/mirror-folder.server.ts";
import { parseRecoveryRows, type RecoveryRow } from "../mirror/recovery-rows.server.ts";
import { appendBatch, lockLog } from "./append-batch.server.ts";
import { computeCommitment, EntryBatch } from "./entry-batch.server.ts";
import { isInLog, type Log, readLog } from "./read-log.server.ts";
import { LOG_STOPPED_ALERT } from "./stop-log.server.ts";
import { addNodes } from "./tree.server.ts";

/** A copy of the log: a mirror, or what a site serves to everybody. */
export type LogCopy = {
  entries: string[];
  /** The notes of its checkpoints. */
  checkpoints: string[];
  /** The files that entries name, by their SHA-256 in hexadecimal. */
  files: ReadonlyMap<string, Uint8Array>;
  /** The names that are public. */
  names: readonly { creator: string; seq: number; salt: string; text: string }[];
  /** What only a mirror has. */
  encryptedRows: readonly string[];
};

export type RecoverLogResult =
  | { ok: true; from: number; size: number; lostTips: number }
  | {
      ok: false;
      refusal: "no-log" | "not-stopped" | "not-ahead" | "invalid" | "key-lost" | "file-missing";
      message?: string;
    };

/** Ends the transaction of a recovery that cannot be completed. */
class RecoveryRefused extends Error {
  readonly refusal: "key-lost" | "file-missing";

  constructor(refusal: "key-lost" | "file-missing", message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** Findings that only say that a tip or a name is not revealed, or late. Recovery cannot change that. */
const ACCEPTED_FINDINGS = new Set(["late", "not revealed"]);
/** Keeps an entry below 65,535 bytes. */
const MAX_RANGES = 3_000;

/**
 * Inserts the entries that a restored database lacks from a copy of the log, with the rows that follow from them, and
 * resumes the log with an entry that tells of it. The copy must be signed, and have every entry that the database, the
 * mirror of this machine and `kept` checkpoints know. Must be called with the owner's role.
 */
export async function recoverLog(
  copy: LogCopy,
  kept: readonly string[] = [],
): Promise<RecoverLogResult> {
  const log = await readLog(database());
  if (!log) return { ok: false, refusal: "no-log" };
  if (!log.stoppedSince) return { ok: false, refusal: "not-stopped" };
  const problem = await findProblem(copy, log, kept);
  if (problem) return { ok: false, refusal: "invalid", message: problem };
  if (copy.entries.length <= log.size) return { ok: false, refusal: "not-ahead" };
  try {
    return await transaction(async (tx) => {
      await lockLog(tx);
      const locked = await readLog(tx, { lock: true });
      if (locked?.size !== log.size || !locked.stoppedSince)
        return { ok: false, refusal: "not-stopped" };
      return await insertMissing(tx, log, copy);
    });
  } catch (error) {
    if (!(error instanceof RecoveryRefused)) throw error;
    return { ok: false, refusal: error.refusal, message: error.message };
  }
}

/** Returns why the copy is not the continuation of this log, or null. */
async function findProblem(
  copy: LogCopy,
  log: Log,
  kept: readonly string[],
): Promise<string | null> {
  const { rows } = await database().execute<{ note: string }>(
    sql`select note from proof_checkpoints where ${isInLog("size", log)} order by size`,
  );
  const mirror = await readMirrorCheckpoint(mirrorFolderOf(env().dataDir));
  const isOwnMirror = typeof mirror !== "string" && mirror.origin === log.origin;
  const { signaturesChecked, findings } = await verifyLog({
    keys: (await readVerifierKeys(log)).map((key) => key.verifierKey),
    entries: copy.entries,
    checkpoints: copy.checkpoints.map((note) => ({ note })),
    keptCheckpoints: [
      ...rows.map((row) => row.note),
      ...(isOwnMirror ? [mirror.note] : []),
      ...kept,
    ],
    reveals: [],
    names: [],
    manifests: new Map([...copy.files].map(([hash, file]) => [hash, Buffer.from(file).toString()])),
    now: now().toISOString(),
    today: dateAt(now()),
  });
  if (!signaturesChecked) return "The signatures were not checked.";
  return findings.find(({ kind }) => !ACCEPTED_FINDINGS.has(kind))?.message ?? null;
}

type Entry = { kind: string; at: string; [field: string]: unknown };
type MissingEntry = { index: number; entry: Entry; hash: Buffer };

async function insertMissing(tx: Tx, log: Log, copy: LogCopy): Promise<RecoverLogResult> {
  const from = log.size;
  const size = copy.entries.length;
  const missing = copy.entries.slice(from).map((text, at) => ({
    index: from + at,
    entry: JSON.parse(text) as Entry,
    hash: hashLeaf(Buffer.from(text)),
  }));
  await insertEntries(tx, log, copy);
  const rows = new Map<number, RecoveryRow>();
  for (const encrypted of copy.encryptedRows)
    for (const row of parseRecoveryRows(encrypted, log) ?? []) rows.set(row.index, row);

  const at = now();
  const batch = new EntryBatch(tx, { ...log, size }, at);
  await addCreatorRows(batch, missing, rows, copy.names);
  const lost = await addTipRows(batch, missing, rows);
  await addWithdrawalRows(batch, missing);
  await addResultRows(batch, missing, rows);
  await addFileRows(batch, missing, copy.files);
  addKeyRows(batch, missing, rows);

  const ranges = toRanges(lost);
  for (let first = 0; first === 0 || first < ranges.length; first += MAX_RANGES)
    batch.add("incident", {
      text: `A backup was restored. The entries from ${from} to ${size - 1} were recovered from a copy of the log. Tips lost, which can't be revealed: ${lost.length}.`,
      from,
      to: size - 1,
      lost: ranges.slice(first, first + MAX_RANGES),
    });
  await tx.execute(sql`update proof_logs set unconfirmed_since = null where id = ${log.id}`);
  await appendBatch(batch);
  await writeAudit(tx, {
    actorId: null,
    action: "recover-log",
    subject: log.origin,
    details: { from, size, lostTips: lost.length },
  });
  await resolveAlertAbout(tx, LOG_STOPPED_ALERT);
  return { ok: true, from, size, lostTips: lost.length };
}

/** Inserts the entries and checkpoints in their order, as if they were appended again, and the nodes. */
async function insertEntries(tx: Tx, log: Log, { entries, checkpoints }: LogCopy): Promise<void> {
  const bySize = new Map(
    checkpoints.map((note) => [parseCheckpoint(note)?.size ?? 0, note] as const),
  );
  const sizes = [...bySize.keys()].filter((size) => size > log.size).sort((a, b) => a - b);
  let first = log.size;
  for (const size of sizes) {
    const bodies = entries.slice(first, size).map((text) => Buffer.from(text, "utf8"));
    const times = entries.slice(first, size).map((text) => JSON.parse(text).at as string);
    await tx.execute(sql`
      insert into proof_entries (entry_index, body, appended_at)
      select ${log.firstIndex + first}::bigint + e.n - 1, e.body, e.at
      from unnest(${sql.param(bodies)}::bytea[], ${sql.param(times)}::timestamptz[])
        with ordinality as e (body, at, n)`);
    await tx.execute(sql`update proof_logs set size = ${size} where id = ${log.id}`);
    const note = bySize.get(size) ?? "";
    // A checkpoint is signed in the transaction that appends its entries, at the same time.
    await tx.execute(sql`
      insert into proof_checkpoints (size, root, note, signed_at)
      values (${log.firstIndex + size}, ${Buffer.from(parseCheckpoint(note)?.root ?? "")}, ${note},
        ${times.at(-1)})`);
    first = size;
  }
  await addNodes(tx, log.firstIndex + log.size, log.firstIndex + first);
}

/** Continues the creators' chains. A creator who is not in the database any more keeps their entries. */
async function addCreatorRows(
  batch: EntryBatch,
  missing: readonly MissingEntry[],
  rows: ReadonlyMap<number, RecoveryRow>,
  names: LogCopy["names"],
): Promise<void> {
  const { tx, log } = batch;
  const { rows: known } = await tx.execute<{ proofId: string }>(
    sql`select proof_id as "proofId" from proof_creators where log_id = ${log.id}`,
  );
  const knownIds = new Set(known.map((row) => row.proofId));
  const publicNames = new Map(names.map((name) => [`${name.creator} ${name.seq}`, name]));
  for (const { index, entry, hash } of missing) {
    const { creator: proofId, seq } = entry;
    if (typeof proofId !== "string" || typeof seq !== "number") continue;
    const name =
      entry.kind === "creator"
        ? (rows.get(index)?.name ?? publicNames.get(`${proofId} ${seq}`))
        : undefined;
    const isValid =
      name !== undefined &&
      computeCommitment("name", Buffer.from(name.salt, "base64"), name.text) === entry.name;
    const displayName: string | null = isValid ? JSON.parse(name.text).name : null;
    if (knownIds.has(proofId)) {
      await tx.execute(sql`
        update proof_creators set next_seq = ${seq + 1}, last_hash = ${hash}, last_entry_at = ${entry.at},
          display_name = coalesce(${displayName}, display_name)
        where proof_id = ${proofId}`);
    } else {
      const creatorId = rows.get(index)?.name?.creatorId ?? null;
      // Without the creator's id, the display name tells who it is: it is unique.
      await tx.execute(sql`
        insert into proof_creators
          (proof_id, log_id, creator_id, display_name, next_seq, last_hash, last_entry_at)
        values (${proofId}, ${log.id}, (
          select c.user_id from creators c
          where case when ${creatorId}::uuid is null then c.display_name = ${displayName}
              else c.user_id = ${creatorId} end
            and not exists (select from proof_creators p
              where p.creator_id = c.user_id and p.log_id = ${log.id})
        ), ${displayName ?? ""}, ${seq + 1}, ${hash}, ${entry.at})`);
      knownIds.add(proofId);
    }
    const storedIndex = log.firstIndex + index;
    batch.addRow("proof_creator_entries", { proof_id: proofId, seq, entry_index: storedIndex });
    if (isValid)
      batch.addRow("proof_creator_names", {
        entry_index: storedIndex,
        text: name.text,
        salt: Buffer.from(name.salt, "base64"),
      });
  }
}

/** Adds the commitments of tips that are in the database. Returns the indexes of the others. */
async function addTipRows(
  batch: EntryBatch,
  missing: readonly MissingEntry[],
  rows: ReadonlyMap<number, RecoveryRow>,
): Promise<number[]> {
  const ids = [...rows.values()].flatMap((row) => row.tip?.id ?? []);
  const { rows: found } = await batch.tx.execute<{ id: string; analysis: string }>(sql`
    select t.id, t.analysis from tips t where t.id = any(${sql.param(ids)}::uuid[])
      and not exists (select from tip_commitments k where k.tip_id = t.id)`);
  const tips = new Map(found.map((tip) => [tip.id, tip]));
  const lost: number[] = [];
  for (const { index, entry } of missing) {
    if (entry.kind !== "tip") continue;
    const row = rows.get(index)?.tip;
    const tip = row && tips.get(row.id);
    const salt = Buffer.from(row?.salt ?? "", "base64");
    const analysisSalt = Buffer.from(row?.analysisSalt ?? "", "base64");
    if (
      !tip ||
      computeCommitment("selection", salt, row.text) !== entry.selection ||
      computeCommitment("reasons", analysisSalt, tip.analysis) !== entry.reasons
    ) {
      lost.push(index);
      continue;
    }
    batch.addRow("tip_commitments", {
      tip_id: tip.id,
      entry_index: batch.log.firstIndex + index,
      text: row.text,
      salt,
      analysis_salt: analysisSalt,
    });
  }
  return lost;
}

/** Adds the withdrawals of tips that are in the database. */
async function addWithdrawalRows(
  batch: EntryBatch,
  missing: readonly MissingEntry[],
): Promise<void> {
  const { firstIndex } = batch.log;
  const withdrawals = missing.filter(({ entry }) => entry.kind === "withdrawal");
  const indexes = withdrawals.map(({ entry }) => firstIndex + Number(entry.of));
  const { rows } = await batch.tx.execute<{ tipId: string; entryIndex: string }>(sql`
    select tip_id as "tipId", entry_index as "entryIndex" from tip_commitments
    where entry_index = any(${sql.param(indexes)}::bigint[])`);
  const tips = new Map(rows.map((row) => [Number(row.entryIndex), row.tipId]));
  for (const row of batch.rowsOf("tip_commitments"))
    tips.set(Number(row.entry_index), String(row.tip_id));
  for (const { index, entry } of withdrawals) {
    const tipId = tips.get(firstIndex + Number(entry.of));
    if (tipId)
      batch.addRow("proof_withdrawals", {
        entry_index: firstIndex + index,
        tip_id: tipId,
        state: String(entry.why),
      });
  }
}

/** Adds the results that are in the database as they were when they were entered in the log. */
async function addResultRows(
  batch: EntryBatch,
  missing: readonly MissingEntry[],
  rows: ReadonlyMap<number, RecoveryRow>,
): Promise<void> {
  for (const { index, entry } of missing) {
    if (entry.kind !== "result") continue;
    for (const { number, userId } of rows.get(index)?.admins ?? [])
      await batch.tx.execute(sql`
        insert into proof_admins (user_id, number)
        select id, ${number} from users where id = ${userId} on conflict do nothing`);
    // One that was confirmed again after the restore is another one.
    const { rows: results } = await batch.tx.execute<{ raceDayId: string }>(sql`
      select r.race_day_id as "raceDayId" from race_results r
      join race_days d on d.id = r.race_day_id
      join venues v on v.id = d.venue_id
      where v.slug = ${entry.venue} and d.race_date = ${entry.date}::date and r.race_number = ${entry.race}
        and r.version = ${entry.version} and r.confirmed_at <= ${entry.at}`);
    if (results[0])
      batch.addRow("proof_results", {
        race_day_id: results[0].raceDayId,
        race_number: Number(entry.race),
        version: Number(entry.version),
        entry_index: batch.log.firstIndex + index,
      });
  }
}

/** Stores the files that entries name. */
async function addFileRows(
  batch: EntryBatch,
  missing: readonly MissingEntry[],
  files: LogCopy["files"],
): Promise<void> {
  for (const { index, entry } of missing) {
    const { kind } = entry;
    if (kind !== "manifest" && kind !== "verifier" && kind !== "rules") continue;
    const content = Buffer.from(files.get(String(entry.file)) ?? "");
    if (createHash("sha256").update(content).digest("hex") !== entry.file)
      throw new RecoveryRefused(
        "file-missing",
        `The file ${entry.file}, which entry ${index} names, is missing.`,
      );
    const mediaType = kind === "manifest" ? "application/x-ndjson" : "text/plain";
    const hash = await storeFile(batch.tx, content.toString("utf8"), mediaType);
    const storedIndex = batch.log.firstIndex + index;
    if (kind === "manifest")
      batch.addRow("proof_manifests", {
        entry_index: storedIndex,
        date: String(entry.date),
        file_hash: hash,
      });
    else batch.addRow("proof_file_entries", { entry_index: storedIndex, kind, file_hash: hash });
  }
}

/** Adds the signing keys that entries name. Without the newest one, nothing can be signed. */
function addKeyRows(
  batch: EntryBatch,
  missing: readonly MissingEntry[],
  rows: ReadonlyMap<number, RecoveryRow>,
): void {
  for (const { index, entry } of missing) {
    if (entry.kind !== "key") continue;
    const key = rows.get(index)?.key;
    if (!key || key.verifierKey !== entry.vkey)
      throw new RecoveryRefused(
        "key-lost",
        `Entry ${index} names a newer signing key, which the copy does not have.`,
      );
    batch.addRow("proof_signing_keys", {
      verifier_key: key.verifierKey,
      encrypted_seed: key.encryptedSeed,
      from_size: batch.log.firstIndex + index + 1,
      previous_signs_until: key.previousSignsUntil ?? key.createdAt,
      created_at: key.createdAt,
    });
  }
}

/** Returns the first and last of each run of consecutive numbers. */
function toRanges(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
