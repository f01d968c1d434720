/** A checkpoint of the log, and the note as we signed it. */
export type SignedCheckpoint = { size: number; root: Buffer; note: string };

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
