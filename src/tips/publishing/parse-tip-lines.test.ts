import { expect, test } from "vitest";
import { createBlankRace, type RaceDraft } from "./batch-form.ts";
import { parseTipLines } from "./parse-tip-lines.ts";

function parseLine(line: string): Partial<RaceDraft> {
  const values = Object.entries(parseTipLines(line)[0] ?? {});
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}

const COMPLETE = {
  horseNumber: "4",
  horseName: "Lantern Ladder",
  tipType: "win",
  confidence: "high",
  analysis: "Drawn well, and fresh.",
};

test.each<[string, Partial<RaceDraft>]>([
  ["4 Lantern Ladder W H Drawn well, and fresh.", COMPLETE],
  ["  4. Lantern Ladder H W - Drawn well, and fresh.", COMPLETE],
  ["R3 4 Lantern Ladder W H Drawn well, and fresh.", { ...COMPLETE, raceNumber: "3" }],
  ["Race 3: 4 Lantern Ladder W H Drawn well, and fresh.", { ...COMPLETE, raceNumber: "3" }],
  ["03 04 Lantern Ladder W H Drawn well, and fresh.", { ...COMPLETE, raceNumber: "3" }],
  ["3\t4\tLantern Ladder\tWin\tHigh\tDrawn well, and fresh.", { ...COMPLETE, raceNumber: "3" }],
  ["4;Lantern Ladder;win;HIGH;Drawn well, and fresh.", COMPLETE],
  [
    "3\t14:05\t4\tLantern Ladder\t\tEach way\tMedium\tStays;fit",
    {
      raceNumber: "3",
      raceTime: "14:05",
      horseNumber: "4",
      horseName: "Lantern Ladder",
      tipType: "each-way",
      confidence: "medium",
      analysis: "Stays fit",
    },
  ],
  [
    "High Noon E/W L Stays",
    { horseName: "High Noon", tipType: "each-way", confidence: "low", analysis: "Stays" },
  ],
  ["4", { horseNumber: "4" }],
  ["4 W H Fresh", { horseNumber: "4", tipType: "win", confidence: "high", analysis: "Fresh" }],
  ["Lantern Ladder", { horseName: "Lantern Ladder" }],
  ["4 constructor W", { horseNumber: "4", horseName: "constructor", tipType: "win" }],
  [
    "4\tconstructor\t__proto__",
    { horseNumber: "4", horseName: "constructor", analysis: "__proto__" },
  ],
])("parses %j", (line, values) => {
  expect(parseLine(line)).toEqual(values);
});

test("skips empty lines and returns at most twelve", () => {
  expect(parseTipLines("4 One\r\n\r\n  \n5 Two\r6 Three")).toHaveLength(3);
  expect(parseTipLines("4 One\n".repeat(40))).toHaveLength(12);
  expect(parseTipLines("")).toEqual([]);
  expect(parseTipLines("4 One")).toEqual([
    { ...createBlankRace(null), horseNumber: "4", horseName: "One" },
  ]);
});
