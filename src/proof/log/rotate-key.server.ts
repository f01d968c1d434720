import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { appendBatch, lockLog } from "./append-batch.server.ts";
import { EntryBatch } from "./entry-batch.server.ts";
import { readLog } from "./read-log.server.ts";
import { createSigningKey } from "./signing-key.server.ts";

/** How long the old key signs as well, for verifiers that do not know the new one yet. */
const OVERLAP_MS = 30 * 24 * 60 * 60 * 1000;

export type RotateKeyResult =
  | { ok: true; verifierKey: string; fromSize: number }
  | { ok: false; refusal: "no-log" | "stopped" };

/**
 * Creates a new signing key and names it in an entry of the log. Checkpoints that hold the entry need its signature.
 * The old key signs as well for 30 days, unless it was stolen.
 */
export async function rotateKey({
  reason,
  isStolen,
}: {
  reason: string;
  isStolen: boolean;
}): Promise<RotateKeyResult> {
  return await transaction(async (tx): Promise<RotateKeyResult> => {
    await lockLog(tx);
    const log = await readLog(tx, { lock: true });
    if (!log) return { ok: false, refusal: "no-log" };
    if (log.stoppedSince) return { ok: false, refusal: "stopped" };
    const at = now();
    const fromSize = log.size + 1;
    const verifierKey = await createSigningKey(tx, log, {
      fromSize,
      previousSignsUntil: isStolen ? at : new Date(at.getTime() + OVERLAP_MS),
      at,
    });
    const batch = new EntryBatch(tx, log, at);
    batch.add("key", { vkey: verifierKey, from: fromSize, why: reason, stolen: isStolen });
    await appendBatch(batch);
    await writeAudit(tx, {
      actorId: null,
      action: "rotate-log-key",
      subject: log.origin,
      details: { verifierKey, fromSize, reason, isStolen },
    });
    return { ok: true, verifierKey, fromSize };
  });
}
