import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { BatchDraft } from "./batch-form.ts";
import type { BatchDay, OfferedRunner } from "./batch-result.ts";

const UNKNOWN_DAY: BatchDay = {
  venueId: "",
  raceDate: "",
  publishedNumbers: [],
  offTimes: [],
  runners: [],
};

/**
 * Loads the details of the chosen venue and day from `url` whenever either changes. Until they are loaded the venue and
 * date are empty.
 */
export function useBatchDay(
  url: string,
  { venueId, raceDate }: Pick<BatchDraft, "venueId" | "raceDate">,
): BatchDay {
  const { load, data } = useFetcher<BatchDay>();
  useEffect(() => {
    if (venueId && raceDate)
      void load(`${url}?${new URLSearchParams({ venue: venueId, date: raceDate })}`);
  }, [load, url, venueId, raceDate]);
  return data && data.venueId === venueId && data.raceDate === raceDate ? data : UNKNOWN_DAY;
}

/** Returns the reported off time of a race, or null. */
export function findReportedTime({ offTimes }: BatchDay, raceNumber: string): string | null {
  return offTimes.find((off) => String(off.raceNumber) === raceNumber)?.time ?? null;
}

/** Returns the declared runners of a race; none if the race has no declared runners. */
export function findRunners({ runners }: BatchDay, raceNumber: string): OfferedRunner[] {
  return runners.filter((runner) => String(runner.raceNumber) === raceNumber);
}
