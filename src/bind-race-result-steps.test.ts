import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SecondEntry } from "#racing/results/confirm-race-result.server.ts";

const RACE = { venueId: randomUUID(), raceDate: "2027-01-01", raceNumber: 1 };
const ABANDONED: SecondEntry = {
  ...{ status: "abandoned", off: null, starters: null, placesPaid: null, surface: null },
  ...{ nonRunners: [], positions: [], names: [] },
};

it("is bound once, with the jobs, and no result is compared or confirmed without it", async () => {
  const { compareRaceResult, confirmRaceResult } = await import(
    "#racing/results/confirm-race-result.server.ts"
  );
  const entry = { resultId: randomUUID(), second: ABANDONED };
  for (const submit of [compareRaceResult, confirmRaceResult])
    await expect(submit(randomUUID(), RACE, entry)).rejects.toThrow("no steps are bound");
  await import("#jobs.server.ts");
  for (const submit of [compareRaceResult, confirmRaceResult])
    expect(await submit(randomUUID(), RACE, entry)).toEqual({
      ok: false,
      refusal: "no-such-result",
    });
  const { bindRaceResultSteps, countMovedTips, raceResultSteps } = await import(
    "#racing/results/race-result-steps.server.ts"
  );
  expect(() => bindRaceResultSteps(raceResultSteps(), countMovedTips)).toThrow("bound already");
});
