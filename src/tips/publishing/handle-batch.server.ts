import { data } from "react-router";
import { MAX_RACES } from "#domain/tip.ts";
import { errorCode } from "#platform/database.server.ts";
import { failureMessage } from "#platform/failure-message.server.ts";
import { findVenue } from "#racing/racing.server.ts";
import {
  createRaceTakenMessage,
  DATE_PASSED_MESSAGE,
  DATE_TOO_FAR_AHEAD_MESSAGE,
} from "./batch.input.ts";
import {
  addWayOn,
  type BatchDraft,
  type BatchProblems,
  createRaceClosedMessage,
  listFilledRaces,
  parseBatchForm,
  validateBatch,
} from "./batch-form.ts";
import type { BatchFormResult } from "./batch-result.ts";
import { type BatchRefusal, publishBatch } from "./publish-batch.server.ts";

/** Handles the daily batch form: publishes the batch or returns its validation errors. */
export async function handleBatch(creatorId: string, form: FormData, requestId: string) {
  const draft = parseBatchForm(form);
  const validated = validateBatch(draft);
  if (!validated.ok) return refuse(draft, 422, validated.problems);
  try {
    const result = await publishBatch(creatorId, validated.batch);
    if (!result.ok) return refuse(draft, toStatus(result), toBatchProblems(draft, result));
    const venue = await findVenue(validated.batch.venueId);
    return data<BatchFormResult>({
      ok: true,
      venueName: venue?.name ?? "",
      raceDate: validated.batch.raceDate,
      raceNumbers: result.raceNumbers,
    });
  } catch (error) {
    const { status, message } = failureMessage(error, describeFailure(error), { requestId });
    return refuse(draft, status, { messages: [message], races: [] });
  }
}

const SCHEMA_ERRORS: Partial<Record<string, string>> = {
  "42703":
    "Database error: Missing table columns. Please run the database setup scripts (npm start).",
  "42P01":
    "Database error: Tips table not found. Please run the database setup scripts (npm start).",
  "42501": "Permission error: Unable to save tip. Please check database permissions.",
};

/** Begins the message about a batch that could not be saved. */
export function describeFailure(error: unknown): string {
  const cause = SCHEMA_ERRORS[errorCode(error) ?? ""];
  return `Failed to add daily tips. Please try again.${cause ? ` ${cause}` : ""}`;
}

function refuse(values: BatchDraft, status: number, problems: BatchProblems) {
  return data<BatchFormResult>({ ok: false, problems, values }, { status });
}

function toStatus({ refusal }: BatchRefusal): number {
  if (refusal === "race-taken" || refusal === "off-passed" || refusal === "card-void") return 409;
  if (refusal === "race-has-result" || refusal === "race-closed") return 409;
  if (refusal === "runner-scratched") return 409;
  return refusal === "suspended" || refusal === "not-a-creator" ? 403 : 422;
}

/** Returns the messages of a refusal, above the form and at the affected races. */
export function toBatchProblems(draft: BatchDraft, refusal: BatchRefusal): BatchProblems {
  const raceNumbers = "raceNumbers" in refusal ? refusal.raceNumbers : [];
  const messages = listMessages(refusal, listFilledRaces(draft.races).length);
  const isRunnerProblem =
    refusal.refusal === "runner-not-declared" || refusal.refusal === "runner-scratched";
  return {
    messages,
    races: draft.races.map((race) => {
      const position = raceNumbers.indexOf(Number(race.raceNumber));
      if (position < 0) return {};
      const message = messages[position] ?? messages[0];
      return isRunnerProblem ? { horseNumber: message } : { raceNumber: message };
    }),
    ...(refusal.refusal === "unknown-venue" ? { venueId: messages[0] } : {}),
    ...(refusal.refusal === "past-day" || refusal.refusal === "too-far-ahead"
      ? { raceDate: messages[0] }
      : {}),
  };
}

function listMessages(refusal: BatchRefusal, raceCount: number): string[] {
  const hasOthers = "raceNumbers" in refusal && raceCount > refusal.raceNumbers.length;
  switch (refusal.refusal) {
    case "race-taken":
    case "duplicate-race":
      return refusal.raceNumbers.map(createRaceTakenMessage);
    case "off-passed":
      return refusal.raceNumbers.map((raceNumber) =>
        addWayOn(`Race ${raceNumber} has already started.`, hasOthers),
      );
    case "race-closed":
      return refusal.closings.map((closing, index) =>
        createRaceClosedMessage(refusal.raceNumbers[index] ?? 0, closing, hasOthers),
      );
    case "race-out-of-range":
      return [`Race number must be from 1 to ${MAX_RACES}.`];
    case "no-races":
      return ["Please add at least one race."];
    case "too-many-races":
      return [`You can publish at most ${MAX_RACES} races at once.`];
    case "past-day":
      return [DATE_PASSED_MESSAGE];
    case "too-far-ahead":
      return [DATE_TOO_FAR_AHEAD_MESSAGE];
    case "unknown-venue":
      return ["You can't publish tips for that venue at the moment. Please choose another."];
    case "race-not-reported":
      return refusal.raceNumbers.map((raceNumber) =>
        addWayOn(`Race ${raceNumber} is not on the race day as reported.`, hasOthers),
      );
    case "race-has-result":
      return refusal.raceNumbers.map((raceNumber) =>
        addWayOn(`Race ${raceNumber} already has a result.`, hasOthers),
      );
    case "runner-not-declared":
      return refusal.raceNumbers.map(
        (raceNumber) =>
          `Race ${raceNumber}: that horse is not declared with that number. Choose one of the runners.`,
      );
    case "runner-scratched":
      return refusal.raceNumbers.map(
        (raceNumber) => `Race ${raceNumber}: that horse is scratched. Choose another runner.`,
      );
    case "card-void":
      return ["This race card is void, so no race can be added to it."];
    case "suspended":
    case "not-a-creator":
      return ["Your account can't publish tips at the moment. Please contact us."];
  }
}
