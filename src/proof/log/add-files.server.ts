import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { SETTLEMENT_RULES } from "#domain/settlement.ts";
import { storeFile } from "../files/files.server.ts";
import type { EntryBatch } from "./entry-batch.server.ts";
import { isInLog } from "./read-log.server.ts";

/** The program that anybody can check the log with, served byte for byte. */
export const VERIFIER_FILE = "src/domain/proof/verify-log.js";

/** Files of the product that the log names by their hashes. They do not change while a process runs. */
let recordedFiles: { kind: string; name: string; content: string; hash: Buffer }[] | null = null;

function readRecordedFiles() {
  recordedFiles ??= [
    { kind: "verifier", name: "verify.js", path: VERIFIER_FILE },
    { kind: "rules", name: SETTLEMENT_RULES, path: "src/domain/settlement.ts" },
  ].map(({ kind, name, path }) => {
    const content = readFileSync(path, "utf8");
    return { kind, name, content, hash: createHash("sha256").update(content).digest() };
  });
  return recordedFiles;
}

/** The files that this process has found in a log as it has them: the number of the log and the kind. */
const found = new Set<string>();

/**
 * Adds an entry for the verifier and one for the rules of settlement, each with the hash of its file, if the file is
 * another one than before. A changed copy can be told from the one that the log names. A process does so once: while
 * an upgrade goes from machine to machine, two versions would take turns for ever.
 */
export async function addFiles(batch: EntryBatch): Promise<void> {
  const { rows } = await batch.tx.execute<{ kind: string; hash: Buffer }>(sql`
    select distinct on (kind) kind, file_hash as hash from proof_file_entries
    where ${isInLog("entry_index", batch.log)} order by kind, entry_index desc`);
  for (const { kind, name, content, hash } of readRecordedFiles()) {
    const key = `${batch.log.id} ${kind}`;
    if (rows.find((row) => row.kind === kind)?.hash.equals(hash)) found.add(key);
    if (found.has(key)) continue;
    await storeFile(batch.tx, content, "text/plain");
    const { storedIndex } = batch.add(kind, { name, file: hash.toString("hex") });
    batch.addRow("proof_file_entries", { entry_index: storedIndex, kind, file_hash: hash });
  }
}
