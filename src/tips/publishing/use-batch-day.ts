import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { BatchDraft } from "./batch-form.ts";
import type { BatchDay } from "./batch-result.ts";

type Known = Pick<BatchDay, "taken" | "offs">;

const NOTHING_KNOWN: Known = { taken: [], offs: [] };

/** What is known of the chosen venue and day, asked for as they are chosen. */
export function useBatchDay(
  address: string,
  { venueId, raceDate }: Pick<BatchDraft, "venueId" | "raceDate">,
): Known {
  const { load, data } = useFetcher<BatchDay>();
  useEffect(() => {
    if (venueId && raceDate)
      void load(`${address}?${new URLSearchParams({ venue: venueId, date: raceDate })}`);
  }, [load, address, venueId, raceDate]);
  return data && data.venueId === venueId && data.raceDate === raceDate ? data : NOTHING_KNOWN;
}

/** The off of a race as the operator reported it, or null. */
export function reportedTimeOf({ offs }: Known, raceNumber: string): string | null {
  return offs.find((off) => String(off.raceNumber) === raceNumber)?.time ?? null;
}
