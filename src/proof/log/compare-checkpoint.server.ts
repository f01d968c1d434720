import { parseCheckpoint } from "#domain/proof/signed-note.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { type Log, logNumberOf } from "./read-log.server.ts";
import { readCompactRange } from "./tree.server.ts";

/** Why a log does not continue a checkpoint. "behind": it has fewer entries, or the checkpoint is of a later log. */
export type Mismatch = "unreadable" | "other-log" | "behind" | "different";

/** Returns why the log does not continue the checkpoint, or null if it does. Checks no signature. */
export async function compareCheckpoint(tx: Tx, log: Log, note: string): Promise<Mismatch | null> {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint?.size) return "unreadable";
  const { origin, size, root } = checkpoint;
  if (origin !== log.origin)
    return (logNumberOf(origin, log) ?? 0) > log.id ? "behind" : "other-log";
  if (size > log.size) return "behind";
  return (await readCompactRange(tx, log, size)).root().equals(root) ? null : "different";
}
