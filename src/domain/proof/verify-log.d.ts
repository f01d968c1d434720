/** What the verifier may report. `verify-log.js` explains each kind. */
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

/** One finding in plain words. `index` is the entry's index in the log. */
export type Finding = { kind: FindingKind; index?: number; message: string };

/** A reveal of a commitment, as the site's files hold it, or the note that it was erased. */
export type Reveal =
  | { creator: string; seq: number; salt: string; text: string }
  | { creator: string; seq: number; erased: string; why: string };

/** When an outside clock saw a checkpoint, as the site states it. The evidence is checked with other tools. */
export type OutsideTimestamp = { size: number; claimedAt: string };

/** What is checked: the site's files and, optionally, what a stranger kept. */
export type ProofLog = {
  /** Verifier keys. The origin is that of the first. */
  keys: string[];
  /** The text of every entry from `first` on, up to the size of the newest checkpoint. */
  entries: string[];
  /** The index of the first entry, 0 for the whole log. */
  first?: number;
  /** For a part of the log: the roots of the full subtrees of the entries before it, base64, largest first. Empty for a part that starts with entry 0. */
  leftEdge?: string[];
  /** `signedAt` proves when a tip was logged. A due tip in no checkpoint with a time is late. */
  checkpoints: { note: string; size?: number; signedAt?: string }[];
  /** Prove that a tip was logged before its race; without one, `signedAt` counts. */
  timestamps?: OutsideTimestamp[];
  reveals: Reveal[];
  names: Reveal[];
  /** The text of each manifest file by its SHA-256 in hex. */
  manifests: Map<string, string> | Record<string, string>;
  /** Notes that a stranger kept. Line ends and spaces at the ends do not matter. */
  keptCheckpoints?: string[];
  /** Leaf hashes in base64 that a stranger kept, from index 0. */
  keptLeafHashes?: string[];
  /** The tips that the site lists. Details that are given must be those of the log. */
  tips?: {
    creator: string | null;
    seq: number | null;
    venue?: string;
    date?: string;
    race?: number;
    horse?: string;
  }[];
  /** The current time, ISO. */
  now: string;
  /** The current day in South Africa, YYYY-MM-DD. */
  today: string;
};

export type Verification = {
  origin: string | null;
  /** False where the browser does not know Ed25519. Then signatures were not checked. */
  signaturesChecked: boolean;
  entries: number;
  /** Checkpoints of this log, with a valid signature where signatures were checked. */
  checkpoints: number;
  creators: number;
  tips: number;
  /** Tips that an outside clock saw before their off. The others are in time by the site's own clock, or late. */
  timestamped: number;
  /** Tips whose horse must be public: the race day is over, or the race has an official result. */
  due: number;
  /** Due tips with a valid reveal. */
  revealed: number;
  findings: Finding[];
};

/** Checks a log and returns counts and findings. Input of any form gives findings, never an error. */
export function verifyLog(log: ProofLog): Promise<Verification>;
