import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { BatchDraft } from "./batch-form.ts";
import type { BatchDay, OfferedRunner } from "./batch-result.ts";

type BatchDayDetails = Pick<BatchDay, "publishedNumbers" | "offTimes" | "runners">;

const EMPTY_DAY: BatchDayDetails = { publishedNumbers: [], offTimes: [], runners: [] };

/** Loads the details of the chosen venue and day from `url` whenever either changes. */
export function useBatchDay(
  url: string,
  { venueId, raceDate }: Pick<BatchDraft, "venueId" | "raceDate">,
): BatchDayDetails {
  const { load, data } = useFetcher<BatchDay>();
  useEffect(() => {
    if (venueId && raceDate)
      void load(`${url}?${new URLSearchParams({ venue: venueId, date: raceDate })}`);
  }, [load, url, venueId, raceDate]);
  return data && data.venueId === venueId && data.raceDate === raceDate ? data : EMPTY_DAY;
}

/** Returns the reported off time of a race, or null. */
export function findReportedTime({ offTimes }: BatchDayDetails, raceNumber: string): string | null {
  return offTimes.find((off) => String(off.raceNumber) === raceNumber)?.time ?? null;
}

/** Returns the declared runners of a race; none if the race has no declared runners. */
export function findRunners({ runners }: BatchDayDetails, raceNumber: string): OfferedRunner[] {
  return runners.filter((runner) => String(runner.raceNumber) === raceNumber);
}
