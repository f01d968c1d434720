import { describe, expect, it } from "vitest";
import type { Confidence } from "#domain/tip.ts";
import { groupBy, sortRaceCards } from "./sort-race-cards.ts";

type Tally = { settled: number; won: number };

function createRaceCard(
  name: string,
  {
    record = { settled: 0, won: 0 },
    here,
    levels = [],
  }: {
    record?: Tally;
    here?: Tally;
    /** Confidence of each race; `run` for a race that is over. */
    levels?: (Confidence | "run")[];
  } = {},
) {
  return {
    name,
    here,
    creator: { record },
    races: levels.map((level) => ({
      confidence: level === "run" ? ("high" as const) : level,
      isOver: level === "run",
    })),
  };
}

const namesIn = (
  sort: Parameters<typeof sortRaceCards>[1],
  raceCards: ReturnType<typeof createRaceCard>[],
) => sortRaceCards(raceCards, sort, ({ here }) => here).map(({ name }) => name);

describe("race cards", () => {
  it("keep the order of their next off for 'soonest'", () => {
    const raceCards = ["b", "a", "c"].map((name) => createRaceCard(name));
    expect(namesIn("soonest", raceCards)).toEqual(["b", "a", "c"]);
  });

  it("are sorted by what their tipster's record proves, new tipsters last", () => {
    expect(
      namesIn("record", [
        createRaceCard("three of three", { record: { settled: 3, won: 3 } }),
        createRaceCard("none"),
        createRaceCard("20% of 300", { record: { settled: 300, won: 60 } }),
        createRaceCard("30% of 50", { record: { settled: 50, won: 15 } }),
        createRaceCard("30% of 49", { record: { settled: 49, won: 15 } }),
        createRaceCard("30% of 300", { record: { settled: 300, won: 90 } }),
      ]),
    ).toEqual(["30% of 300", "30% of 50", "20% of 300", "three of three", "30% of 49", "none"]);
  });

  it("are sorted by the record at their own track for 'here'", () => {
    const record = { settled: 500, won: 250 };
    expect(
      namesIn("here", [
        createRaceCard("never here", { record }),
        createRaceCard("weak here", { record, here: { settled: 100, won: 10 } }),
        createRaceCard("strong here", { here: { settled: 100, won: 40 } }),
      ]),
    ).toEqual(["strong here", "weak here", "never here"]);
  });

  it("are sorted by the races to come with HIGH, then MEDIUM confidence", () => {
    expect(
      namesIn("confidence", [
        createRaceCard("all run", { levels: ["run", "run", "run"] }),
        createRaceCard("one high", { levels: ["high", "low", "low"] }),
        createRaceCard("two high", { levels: ["high", "high", "low"] }),
        createRaceCard("one high, one medium", { levels: ["medium", "high"] }),
      ]),
    ).toEqual(["two high", "one high, one medium", "one high", "all run"]);
  });

  it("keep their order when they compare as equal", () => {
    const equal = ["d", "b", "c", "a"].map((name) => createRaceCard(name));
    for (const sort of ["record", "here", "confidence"] as const)
      expect(namesIn(sort, equal)).toEqual(["d", "b", "c", "a"]);
  });
});

it("groups items in the order in which their keys appear", () => {
  expect(groupBy(["b1", "a1", "b2", "c1", "a2"], ([key = ""]) => key)).toEqual([
    ["b1", "b2"],
    ["a1", "a2"],
    ["c1"],
  ]);
});
