import { sql } from "drizzle-orm";
import { dateAt, instantAt } from "#domain/calendar.ts";
import { storeFile } from "../files/files.server.ts";
import { toCanonicalJson } from "./canonical-json.ts";
import type { CreatorChains } from "./creator-chains.server.ts";
import type { EntryBatch } from "./entry-batch.server.ts";
import { isInLog } from "./read-log.server.ts";

/** Before 11:00, when tips without a reported off become late. */
const LATEST_TIME = "10:55";
const BEFORE_FIRST_OFF_MS = 60 * 60 * 1000;

/**
 * Adds the day's manifest once it is due: an hour before the first reported off of the day, or at 10:55. It
 * lists every creator with the number of their entries, so that none can be left out later.
 */
export async function addManifest(batch: EntryBatch, chains: CreatorChains): Promise<void> {
  const date = dateAt(batch.at);
  const { rows } = await batch.tx.execute<{ hasManifest: boolean; firstOffAt: string | null }>(sql`
    select exists (select from proof_manifests where date = ${date}
        and ${isInLog("entry_index", batch.log)}) as "hasManifest",
      (select min(off_at) from race_off_times where race_date = ${date}) as "firstOffAt"`);
  const [{ hasManifest = true, firstOffAt = null } = {}] = rows;
  const creators = chains.list();
  if (hasManifest || creators.length === 0) return;
  const latest = instantAt(date, LATEST_TIME).getTime();
  const dueAt = firstOffAt
    ? Math.min(latest, new Date(firstOffAt).getTime() - BEFORE_FIRST_OFF_MS)
    : latest;
  if (batch.at.getTime() < dueAt) return;
  const lines = creators.map(({ proofId, entries, lastHash }) =>
    toCanonicalJson({ creator: proofId, entries, last: lastHash }),
  );
  const hash = await storeFile(batch.tx, `${lines.join("\n")}\n`, "application/x-ndjson");
  const { storedIndex } = batch.add("manifest", {
    date,
    creators: creators.length,
    entries: batch.nextIndex,
    file: hash.toString("hex"),
  });
  batch.addRow("proof_manifests", { entry_index: storedIndex, date, file_hash: hash });
}
