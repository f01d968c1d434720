import type { BatchDraft, BatchProblems } from "./batch-form.ts";

/** What came of a daily batch. */
export type BatchAnswer =
  | { ok: true; venueName: string; raceDate: string; raceNumbers: number[] }
  | { ok: false; problems: BatchProblems; values: BatchDraft };

/** What the form needs to know of a venue's day: what stands on the card, and when races go off. */
export type BatchDay = {
  venueId: string;
  raceDate: string;
  taken: number[];
  offs: { raceNumber: number; time: string }[];
};

/** What a form that publishes says where it is not sent, or gets no answer. */
export const PUBLISHING_FAILED = {
  "data-not-sent": "No tip was published.",
  "data-no-response":
    "Your tips may have been published. Publish again to be sure: they are published only once.",
};
