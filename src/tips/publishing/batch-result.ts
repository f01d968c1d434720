import type { BatchDraft, BatchProblems } from "./batch-form.ts";

/** The result of submitting a daily batch. */
export type BatchFormResult =
  | { ok: true; venueName: string; raceDate: string; raceNumbers: number[] }
  | { ok: false; problems: BatchProblems; values: BatchDraft };

/** A venue and day as the form needs it: the race numbers already on the card and the off times. */
export type BatchDay = {
  venueId: string;
  raceDate: string;
  taken: number[];
  offs: { raceNumber: number; time: string }[];
};

/** Messages of a publishing form that cannot be sent or gets no response. */
export const PUBLISHING_FAILURE_MESSAGES = {
  "data-not-sent": "No tip was published.",
  "data-no-response":
    "Your tips may have been published. Publish again to be sure: they are published only once.",
};
