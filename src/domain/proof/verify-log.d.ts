/** The kinds of findings; `verify-log.js` explains each. */
export type FindingKind =
  | "unsigned"
  | "truncated"
  | "rewritten"
  | "changed"
  | "dropped"
  | "missing"
  | "late"
  | "hidden"
  | "not revealed"
  | "never logged";

/** A problem that the verifier found. `index` is the entry's index in the log. */
export type Finding = { kind: FindingKind; index?: number; message: string };

/** The reveal of a commitment as the site publishes it, or the record that it was erased. */
export type Reveal =
  | { creator: string; seq: number; salt: string; text: string }
  | { creator: string; seq: number; erased: string; why: string };

/** When a timestamp authority saw a checkpoint, according to the site. The evidence is checked with other tools. */
export type Timestamp = { size: number; claimedAt: string };

/** A tip that the site lists: creator and number are null if the site has no entry of it. */
export type ListedTip = {
  creator: string | null;
  seq: number | null;
  venue?: string;
  date?: string;
  race?: number;
  horse?: string;
  /** The off that is known to the site. It counts if the log has none. */
  off?: string | null;
  /** True if the site does not count the tip because it was published too late: then no finding is `late`. */
  isLate?: boolean;
};

/** The input of the verifier: the site's files and, optionally, checkpoints and hashes saved by a third party. */
export type ProofLog = {
  /** Verifier keys. The origin is that of the first. */
  keys: string[];
  /** The text of every entry from `first` on, up to the size of the newest checkpoint. */
  entries: string[];
  /** The index of the first entry, 0 for the whole log. */
  first?: number;
  /** For a part of the log: the base64 roots of the full subtrees before it, largest first. Empty for a part that starts with entry 0. */
  leftEdge?: string[];
  /** `signedAt` is the time by which the entries were logged. A due tip that no checkpoint with a time covers is late. */
  checkpoints: { note: string; size?: number; signedAt?: string }[];
  /** Outside evidence that a tip was logged before its race. Without it, `signedAt` counts. */
  timestamps?: Timestamp[];
  reveals: Reveal[];
  names: Reveal[];
  /** The text of each manifest file by its SHA-256 in hex. */
  manifests: Map<string, string> | Record<string, string>;
  /** Checkpoint notes saved by a third party. Line endings and surrounding whitespace are ignored. */
  keptCheckpoints?: string[];
  /** Base64 leaf hashes saved by a third party, from entry `first` on. */
  keptLeafHashes?: string[];
  /** The texts of entries saved by a third party, from entry `first` on. */
  keptEntries?: string[];
  /** The tips that the site lists. Any details given must match the log. */
  tips?: ListedTip[];
  /** The current time, ISO. */
  now: string;
  /** The current day in South Africa, YYYY-MM-DD. */
  today: string;
};

export type Verification = {
  origin: string | null;
  /** False if the browser does not support Ed25519, so that signatures could not be checked. */
  signaturesChecked: boolean;
  entries: number;
  /** Checkpoints of this log, with a valid signature where signatures were checked. */
  checkpoints: number;
  creators: number;
  tips: number;
  /** Tips that a timestamp authority saw before their off. The others were signed in time by the site's own clock, or are late. */
  timestamped: number;
  /** Tips whose horse must be public: the race day is over, or the race has an official result. */
  due: number;
  /** Due tips with a valid reveal. */
  revealed: number;
  /** Due tips that were hidden or deleted after the off. The site must still list them. */
  withdrawnLater: number;
  findings: Finding[];
};

/** Returns the first instant at which a tip is too late to count. The site settles tips by the same function. */
export function computeRecordDeadline(
  raceDate: string,
  knownOffAt: Date | number | null,
  wasOffKnown: boolean,
): Date;

/** Checks a log and returns counts and findings. Input of any form gives findings, never an error. */
export function verifyLog(log: ProofLog): Promise<Verification>;
