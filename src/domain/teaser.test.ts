import { expect, it } from "vitest";
import { composeTeaser } from "./teaser.ts";

const race = (raceNumber: number, confidence: "high" | "medium" | "low" = "medium") => ({
  raceNumber,
  tipType: "win" as const,
  confidence,
});

it.each([
  [[race(4)], "One selection to win in race 4 at Vaal, with analysis."],
  [[race(1), race(2, "low")], "A selection with analysis in each of 2 races at Vaal."],
  [
    [race(1, "high"), race(2), race(3, "high"), race(5, "high")],
    "A selection with analysis in each of 4 races at Vaal. High confidence in races 1, 3 and 5.",
  ],
  [
    [race(1), race(7, "high")],
    "A selection with analysis in each of 2 races at Vaal. High confidence in race 7.",
  ],
  [
    [race(1, "high"), race(2, "high")],
    "A selection with analysis in each of 2 races at Vaal. High confidence in all of them.",
  ],
  [[], "Selections at Vaal."],
])("composes the teaser from public details: %j", (races, expected) => {
  expect(composeTeaser({ venueName: "Vaal", races })).toBe(expected);
});
