import type { FormResult } from "#platform/form-result.ts";
import type { BatchDraft, BatchProblems } from "./batch-form.ts";

/** The result of submitting a daily batch. */
export type BatchFormResult =
  | { ok: true; venueName: string; raceDate: string; raceNumbers: number[] }
  | { ok: false; problems: BatchProblems; values: BatchDraft };

/**
 * The result of the analyst tip form. After publishing, it contains the idempotency key of the batch, whose
 * draft can then be deleted, and what the form for the next race starts with.
 */
export type AnalystTipFormResult = FormResult<{
  idempotencyKey: string;
  nextRace: { idempotencyKey: string; venueId: string; raceDate: string; raceNumber: string };
}>;

/** A declared runner that can be selected in the form. */
export type OfferedRunner = {
  raceNumber: number;
  number: number;
  horseName: string;
  isScratched: boolean;
};

/** The published race numbers, the reported off times and the runners of a venue and day, for the form. */
export type BatchDay = {
  venueId: string;
  raceDate: string;
  publishedNumbers: number[];
  offTimes: { raceNumber: number; time: string }[];
  /** Sorted by race and number. */
  runners: OfferedRunner[];
};

/** Messages of a publishing form that cannot be sent or gets no response. */
export const PUBLISHING_FAILURE_MESSAGES = {
  "data-not-sent": "No tip was published.",
  "data-no-response":
    "Your tips may have been published. Publish again to be sure: they are published only once.",
};
