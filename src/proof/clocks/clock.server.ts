import { now } from "#platform/clock.server.ts";

/** A checkpoint of the log, where that log begins in the tables, and the note as we signed it. */
export type SignedCheckpoint = { firstIndex: number; size: number; note: string };

/** What an outside clock gave for a checkpoint. */
export type Timestamp = { evidence: Buffer; claimedAt: Date };

/** A clock that is not ours: a timestamp authority or a witness. */
export type Clock = {
  kind: "rfc3161" | "witness";
  /** Unique among the clocks of its kind. */
  name: string;
  /**
   * Requests a timestamp over the network. `lastSize` is the size of the newest checkpoint that this clock has
   * timestamped, 0 if none. Throws an error with a message for the operator unless the answer is a valid timestamp.
   */
  timestamp(checkpoint: SignedCheckpoint, lastSize: number): Promise<Timestamp>;
};

/** A time further from our own clock shows that one of the two is wrong. */
const MAX_DIFFERENCE_MS = 10 * 60 * 1000;

/** Throws if the time that an outside clock claims is more than ten minutes from our own. */
export function requireCloseTime(claimedAt: Date): void {
  if (Math.abs(claimedAt.getTime() - now().getTime()) > MAX_DIFFERENCE_MS)
    throw new Error(`its time ${claimedAt.toISOString()} is more than ten minutes from our clock`);
}
