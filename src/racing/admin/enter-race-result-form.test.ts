import { describe, expect, it } from "vitest";
import { saveRaceResult } from "./enter-race-result-form.server.ts";

const ID = "00000000-0000-4000-8000-000000000000";

/** Returns the errors by field. */
async function readErrors(fields: Record<string, string>): Promise<unknown> {
  const form = new FormData();
  const values = { status: "official", order: "4 1 7", off: "13:05", source: "NHA", ...fields };
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  const race = { venueId: ID, raceDate: "2026-11-21", raceNumber: 3 };
  return (await saveRaceResult(ID, form, race))?.data.errors;
}

describe("the race result form", () => {
  it.each([
    [
      { "win-1": "6.40", "win-2": "6.40" },
      { "win-2": "Horse 1 did not win, so it has no win dividend" },
    ],
    [
      { order: "4=1 7", "win-1": "3.20", "win-2": "3.20", "win-3": "3.20" },
      { "win-3": "Horse 7 did not win, so it has no win dividend" },
    ],
    [{ "price-3": "x" }, { "price-3": "Starting price must be a fraction such as 5/1, or evens" }],
    [{ "place-2": "x" }, { "place-2": "Dividend must be an amount for R1 such as 6.40" }],
    [{ "win-4": "6.40" }, { "price-4": "No horse is entered for this finishing position" }],
    // Horse 4 had the prices of the first row before the order was changed.
    [
      { order: "1 7 8", "horse-1": "4", "price-1": "5/1", "win-1": "6.40", "place-1": "2.00" },
      {
        "win-1": "Horse 4 did not win, so it has no win dividend",
        "place-1": "Horse 4 was not placed, so it has no place dividend",
      },
    ],
    [{ status: "" }, { status: "Select the status of the result" }],
    [{ source: "" }, { source: "Enter the source" }],
    [{ off: "1 pm" }, { off: "Off time must use the 24-hour clock, such as 14:05" }],
    [{ order: "4 4" }, { order: "Enter each horse only once" }],
  ])("refuses %j with an error at the right field", async (fields, errors) => {
    expect(await readErrors(fields)).toEqual(errors);
  });
});
