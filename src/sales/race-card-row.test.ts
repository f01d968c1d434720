import { expect, it } from "vitest";
import { formatOrdinal } from "#ui/format-ordinal.ts";
import { formatStanding } from "./race-card-row.ui.tsx";

it.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [21, "21st"],
  [102, "102nd"],
  [111, "111th"],
])("writes position %i as %s", (position, text) => {
  expect(formatOrdinal(position)).toBe(text);
});

it.each([
  [4, 80, "4th of 13"],
  [null, 0, "new"],
  [null, 1, "new: 1 tip"],
  [null, 6, "new: 6 tips"],
])("describes rank %s with %i settled tips as '%s'", (rank, settled, text) => {
  expect(formatStanding({ rank, rankedCount: 13 }, settled)).toBe(text);
});
