import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type StartingPrice, standardPlacesPaid } from "./race-result.ts";
import {
  BETTING_TAX_PERCENT,
  computeReturnAtPrice,
  computeReturnAtTote,
  findDeductionPercent,
  type NamedRunner,
  type OfficialResult,
  type Settlement,
  settleTip,
  TIP_STAKE_CENTS,
  type TipToSettle,
} from "./settlement.ts";
import type { TipType } from "./tip.ts";

const parsePrice = (text: string): StartingPrice => {
  const [numerator = 0, denominator = 1] = text.split("/").map(Number);
  return { numerator, denominator };
};

function createRunner(number: number, details: Partial<NamedRunner> = {}): NamedRunner {
  return {
    number,
    horseName: `Horse ${number}`,
    outcome: "finished",
    position: null,
    startingPrice: null,
    winDividendCents: null,
    placeDividendCents: null,
    ...details,
  };
}

/** A result in which the runners finish in the order of their numbers, with `details` by number. */
function createResult(
  starters: number,
  details: Record<number, Partial<NamedRunner>> = {},
  result: Partial<OfficialResult> = {},
): OfficialResult {
  return {
    status: "official",
    starters,
    placesPaid: standardPlacesPaid(starters),
    hasEnteredNames: false,
    runners: Array.from({ length: starters }, (_, index) =>
      createRunner(index + 1, { position: index + 1, ...details[index + 1] }),
    ),
    ...result,
  };
}

function createTip(tipType: TipType, horseNumber = 1, details: Partial<TipToSettle> = {}) {
  return {
    tipType,
    horseNumber,
    horseName: `Horse ${horseNumber}`,
    isMovedToOtherSurface: false,
    ...details,
  };
}

/** Returns the return and profit of both bets: the win at the starting price, the place at the tote. */
function computeTotals({ win, place }: Settlement) {
  const stakeCents = (win?.stakeCents ?? 0) + (place?.stakeCents ?? 0);
  const returnCents = (win?.startingPriceReturnCents ?? 0) + (place?.toteReturnCents ?? 0);
  return { returnCents, profitCents: returnCents - stakeCents };
}

describe("the return at a starting price", () => {
  test.each([
    { price: "5/1", deadHeatCount: 1, returnCents: 6000, profitCents: 5000 },
    { price: "8/10", deadHeatCount: 1, returnCents: 1800, profitCents: 800 },
    { price: "1/3", deadHeatCount: 1, returnCents: 1333, profitCents: 333 },
    { price: "5/1", deadHeatCount: 2, returnCents: 3000, profitCents: 2000 },
    { price: "4/1", deadHeatCount: 2, returnCents: 2500, profitCents: 1500 },
    { price: "8/10", deadHeatCount: 2, returnCents: 900, profitCents: -100 },
    { price: "5/1", deadHeatCount: 3, returnCents: 2000, profitCents: 1000 },
  ])("is $returnCents cents for R10 to win at $price among $deadHeatCount winners", (line) => {
    const winner = { position: 1, startingPrice: parsePrice(line.price) };
    const details = Object.fromEntries(
      Array.from({ length: line.deadHeatCount }, (_, index) => [index + 1, winner]),
    );
    const settlement = settleTip(createTip("win"), createResult(9, details));
    expect(settlement).toMatchObject({ outcome: "won", deadHeatCount: line.deadHeatCount });
    expect(computeTotals(settlement)).toEqual({
      returnCents: line.returnCents,
      profitCents: line.profitCents,
    });
  });

  test.each([
    { withdrawn: ["2/1"], deadHeatCount: 1, returnCents: 4900 },
    { withdrawn: ["2/1", "7/1"], deadHeatCount: 1, returnCents: 4315 },
    { withdrawn: ["2/1"], deadHeatCount: 2, returnCents: 2450 },
  ])("is $returnCents cents at 6/1 after $withdrawn are withdrawn", (line) => {
    expect(
      computeReturnAtPrice({
        stakeCents: TIP_STAKE_CENTS,
        price: parsePrice("6/1"),
        deadHeatCount: line.deadHeatCount,
        deductionPercents: line.withdrawn.map((price) => findDeductionPercent(parsePrice(price))),
      }),
    ).toBe(line.returnCents);
  });

  it("is R57.00 for R10 at 5/1 after 6% of the winnings", () => {
    expect(
      computeReturnAtPrice({
        stakeCents: TIP_STAKE_CENTS,
        price: parsePrice("5/1"),
        taxPercent: BETTING_TAX_PERCENT,
      }),
    ).toBe(5700);
  });

  it("is not taxed when a dead heat returns less than the stake", () => {
    expect(
      computeReturnAtPrice({
        stakeCents: TIP_STAKE_CENTS,
        price: parsePrice("8/10"),
        deadHeatCount: 2,
        taxPercent: BETTING_TAX_PERCENT,
      }),
    ).toBe(900);
  });

  it("is R15.00 for R5 on each of two favourites at 2/1 of which one wins", () => {
    expect(computeReturnAtPrice({ stakeCents: 500, price: parsePrice("2/1") })).toBe(1500);
  });
});

describe("the return at the tote", () => {
  it("is R43.00 for R10 at a win dividend of R4.30", () => {
    const result = createResult(9, { 1: { winDividendCents: 430 } });
    expect(settleTip(createTip("win"), result).win?.toteReturnCents).toBe(4300);
  });

  it("is not divided again in a dead heat", () => {
    const winner = { position: 1, winDividendCents: 210 };
    const result = createResult(9, { 1: winner, 2: winner });
    expect(settleTip(createTip("win"), result).win?.toteReturnCents).toBe(2100);
  });

  it("is R17.00 for a place tip that is third of 8 at a dividend of R1.70", () => {
    const result = createResult(8, { 3: { placeDividendCents: 170 } });
    const settlement = settleTip(createTip("place", 3), result);
    expect(settlement.outcome).toBe("won");
    expect(computeTotals(settlement)).toEqual({ returnCents: 1700, profitCents: 700 });
  });

  it("is zero for a place tip that is third of 7", () => {
    const result = createResult(7, { 1: { placeDividendCents: 150 } });
    const settlement = settleTip(createTip("place", 3), result);
    expect(settlement).toMatchObject({ outcome: "lost", place: { toteReturnCents: 0 } });
    expect(computeTotals(settlement)).toEqual({ returnCents: 0, profitCents: -1000 });
  });

  it("is unknown for winners and losers alike while no dividend is known", () => {
    const result = createResult(8);
    expect(settleTip(createTip("win", 1), result).win?.toteReturnCents).toBeNull();
    expect(settleTip(createTip("win", 2), result).win?.toteReturnCents).toBeNull();
    expect(settleTip(createTip("place", 1), result)).toMatchObject({
      outcome: "won",
      place: { toteReturnCents: null },
    });
    expect(settleTip(createTip("place", 8), result)).toMatchObject({
      outcome: "lost",
      place: { toteReturnCents: null },
    });
  });
});

describe("an each-way tip", () => {
  it("returns R58.00 when its horse wins at 8/1 with a place dividend of R2.60", () => {
    const result = createResult(12, {
      1: { startingPrice: parsePrice("8/1"), placeDividendCents: 260 },
    });
    const settlement = settleTip(createTip("each-way"), result);
    expect(settlement.outcome).toBe("won");
    expect(computeTotals(settlement)).toEqual({ returnCents: 5800, profitCents: 4800 });
  });

  it("returns R13.00 when its horse is second of 12 with a place dividend of R2.60", () => {
    const result = createResult(12, {
      2: { startingPrice: parsePrice("8/1"), placeDividendCents: 260 },
    });
    const settlement = settleTip(createTip("each-way", 2), result);
    expect(settlement).toMatchObject({ outcome: "placed", position: 2 });
    expect(computeTotals(settlement)).toEqual({ returnCents: 1300, profitCents: 300 });
  });

  it("returns nothing when its horse is fourth of 12", () => {
    const result = createResult(12, { 4: { startingPrice: parsePrice("8/1") } });
    const settlement = settleTip(createTip("each-way", 4), result);
    expect(settlement.outcome).toBe("lost");
    expect(computeTotals(settlement)).toEqual({ returnCents: 0, profitCents: -1000 });
  });

  it("stakes only the half to win when no places are paid", () => {
    const result = createResult(5, { 1: { startingPrice: parsePrice("2/1") } });
    const won = settleTip(createTip("each-way", 1), result);
    expect(won).toMatchObject({ outcome: "won", place: null, win: { stakeCents: 500 } });
    expect(computeTotals(won)).toEqual({ returnCents: 1500, profitCents: 1000 });
    expect(settleTip(createTip("each-way", 2), result).outcome).toBe("lost");
  });
});

describe("a tip", () => {
  it("has no starting price return when its horse has no starting price, even if it lost", () => {
    const result = createResult(9, { 1: { startingPrice: parsePrice("3/1") } });
    expect(settleTip(createTip("win", 2), result)).toMatchObject({
      outcome: "lost",
      win: { startingPriceReturnCents: null },
    });
  });

  it("is placed in a dead heat for the last place", () => {
    const result = createResult(8, { 3: { position: 3 }, 4: { position: 3 } });
    for (const number of [3, 4])
      expect(settleTip(createTip("place", number), result)).toMatchObject({
        outcome: "won",
        deadHeatCount: 2,
      });
  });

  it("is placed by the number of places that the result states", () => {
    const result = createResult(18, {}, { placesPaid: 5 });
    expect(settleTip(createTip("place", 5), result).outcome).toBe("won");
    expect(settleTip(createTip("place", 6), result).outcome).toBe("lost");
  });

  it.each(["did-not-finish", "disqualified"] as const)("loses when its horse is %s", (outcome) => {
    const result = createResult(8, { 2: { outcome, position: null } });
    for (const tipType of ["win", "place", "each-way"] as const)
      expect(settleTip(createTip(tipType, 2), result).outcome).toBe("lost");
  });

  it("settles on the horse with its name even if that horse has another number", () => {
    const result = createResult(8);
    const tip = createTip("win", 5, { horseName: "HORSE  1" });
    expect(settleTip(tip, result)).toMatchObject({ outcome: "won", position: 1 });
  });

  it.each(["Hrose 1", "Horse1a", "orse 1", "HORSES 11"])(
    "settles on the horse with its number when the name is misspelt as %s",
    (horseName) => {
      const tip = createTip("win", 1, { horseName });
      expect(settleTip(tip, createResult(8))).toMatchObject({ outcome: "won", position: 1 });
    },
  );

  it("ignores a country, and tells horses that differ by it alone apart by the number", () => {
    const named = (number: number, horseName: string) => createTip("win", number, { horseName });
    const result = createResult(8, {
      1: { horseName: "Harbour Light (SAF)" },
      2: { horseName: "Harbour Light (GB)" },
      3: { horseName: "El Niño" },
      4: { horseName: "Sam" },
    });
    expect(settleTip(named(1, "Harbour Light"), result).runnerNumber).toBe(1);
    expect(settleTip(named(2, "Harbour Light"), result).runnerNumber).toBe(2);
    expect(settleTip(named(7, "Harbour Light"), result).outcome).toBe("void");
    expect(settleTip(named(3, "El Nino"), result).runnerNumber).toBe(3);
    expect(settleTip(named(4, "Max"), result).outcome).toBe("void");
  });

  it("is void when a horse with another number has a nearer name", () => {
    const result = createResult(8, {
      1: { horseName: "Golden Bay" },
      2: { horseName: "Golden Boyy" },
    });
    const tip = createTip("win", 1, { horseName: "Golden Boys" });
    expect(settleTip(tip, result).outcome).toBe("void");
  });

  it.each(["Sea Mist", "Horsewoman", "Mare 1"])(
    "is void when its name is %s and the horse with its number has a different name",
    (horseName) => {
      const tip = createTip("win", 1, { horseName });
      expect(settleTip(tip, createResult(8))).toMatchObject({
        outcome: "void",
        voidReason: "non-runner",
      });
    },
  );
});

describe("a tip on a race without declared runners", () => {
  // Eight starters and three places: the names of the first three were entered.
  const result = createResult(
    8,
    {
      1: { horseName: "Sea Mist" },
      2: { horseName: "Sea Mast" },
      3: { horseName: "D'Artagnan (SAF)" },
      4: { horseName: "Karoo Wind" },
      5: { horseName: null },
      6: { horseName: null, outcome: "disqualified", position: null },
      7: { horseName: null, outcome: "non-runner", position: null },
      8: { horseName: null, position: null },
    },
    { hasEnteredNames: true },
  );
  const settle = (tipType: TipType, horseNumber: number, horseName: string, details = {}) => {
    const { outcome, voidReason, runnerNumber, position } = settleTip(
      createTip(tipType, horseNumber, { horseName }),
      { ...result, ...details },
    );
    return [outcome, voidReason ?? runnerNumber, position];
  };
  const UNCLEAR = ["void", "horse-unclear", null];

  test.each([
    ["number and name", "win", 1, "sea mist (IRE)", ["won", 1, 1]],
    ["the number, and the nearer of two names", "win", 2, "Sea Mast", ["lost", 2, 2]],
    ["the number and a name between two names", "place", 2, "Sea Mest", ["won", 2, 2]],
    ["the number and another horse's nearer name", "win", 2, "Sea Mist", UNCLEAR],
    ["another number and a name between two names", "win", 9, "Sea Mest", UNCLEAR],
    ["an accent and an apostrophe", "each-way", 3, "d’Àrtagnan", ["placed", 3, 3]],
    ["the number alone", "win", 1, "Old Song", UNCLEAR],
    ["the name alone", "place", 9, "D'Artagnan", UNCLEAR],
    ["neither", "win", 9, "Old Song", ["lost", null, null]],
    [
      "the fourth horse, for which no place is paid",
      "place",
      4,
      "Karoo Wind",
      ["lost", null, null],
    ],
    ["the number of a disqualified horse", "win", 6, "Old Song", ["lost", null, null]],
    ["the number of a non-runner", "win", 7, "Old Song", ["void", "non-runner", null]],
    [
      "the number of a non-runner and a placed name",
      "win",
      7,
      "Sea Mist",
      ["void", "non-runner", null],
    ],
    ["a name that cannot be compared", "win", 1, "???", UNCLEAR],
  ] as const)("with %s, %s", (_, tipType, horseNumber, horseName, expected) => {
    expect(settle(tipType, horseNumber, horseName)).toEqual(expected);
  });

  it("counts a fourth horse where four places are paid", () => {
    expect(settle("place", 4, "Karoo Wind", { placesPaid: 4 })).toEqual(["won", 4, 4]);
    expect(settle("place", 9, "Karoo Wind", { placesPaid: 4 })).toEqual(UNCLEAR);
  });

  it("compares with the winner alone where no places are paid", () => {
    const noPlaces = { placesPaid: 0, starters: 5 };
    expect(settle("win", 1, "Sea Mist", noPlaces)).toEqual(["won", 1, 1]);
    expect(settle("each-way", 2, "Old Song", noPlaces)).toEqual(["lost", null, null]);
    expect(settle("place", 9, "Old Song", noPlaces)).toEqual(["void", "no-places", null]);
  });

  it("is void in a walk-over, and when the race was moved", () => {
    expect(settle("win", 9, "Old Song", { starters: 1 })).toEqual(["void", "walk-over", null]);
    const tip = createTip("win", 1, { horseName: "Sea Mist", isMovedToOtherSurface: true });
    expect(settleTip(tip, result).voidReason).toBe("moved-surface");
  });
});

describe("a void tip", () => {
  const VOID = {
    outcome: "void",
    runnerNumber: null,
    position: null,
    deadHeatCount: 1,
    win: null,
    place: null,
  };

  test.each([
    {
      voidReason: "non-runner",
      tip: createTip("win", 2),
      result: createResult(8, { 2: { outcome: "non-runner", position: null } }),
    },
    { voidReason: "non-runner", tip: createTip("win", 9), result: createResult(8) },
    {
      voidReason: "abandoned",
      tip: createTip("win"),
      result: createResult(0, {}, { status: "abandoned", starters: null }),
    },
    {
      voidReason: "race-void",
      tip: createTip("win"),
      result: createResult(8, {}, { status: "void" }),
    },
    { voidReason: "walk-over", tip: createTip("win"), result: createResult(1) },
    {
      voidReason: "moved-surface",
      tip: createTip("win", 1, { isMovedToOtherSurface: true }),
      result: createResult(8),
    },
    { voidReason: "no-places", tip: createTip("place"), result: createResult(5) },
  ] as const)("is void because of $voidReason", ({ voidReason, tip, result }) => {
    expect(settleTip(tip, result)).toEqual({ ...VOID, voidReason });
  });
});

describe("findDeductionPercent", () => {
  // Both ends of each band of the published table.
  test.each([
    [0, ["22/1", "100/1"]],
    [5, ["13/1", "20/1"]],
    [10, ["9/1", "12/1"]],
    [15, ["6/1", "8/1"]],
    [20, ["15/4", "11/2"]],
    [25, ["3/1", "7/2"]],
    [30, ["22/10", "28/10"]],
    [35, ["16/10", "2/1"]],
    [40, ["13/10", "15/10"]],
    [45, ["11/10", "12/10"]],
    [50, ["19/20", "1/1"]],
    [55, ["15/20", "9/10"]],
    [60, ["11/20", "7/10"]],
    [65, ["9/20", "5/10"]],
    [70, ["4/10"]],
    [80, ["1/3", "1/10"]],
  ] as const)("is %i for %s", (percent, prices) => {
    for (const price of prices) expect(findDeductionPercent(parsePrice(price))).toBe(percent);
  });

  test.each([
    ["21/1", 0],
    ["25/2", 5],
    ["17/2", 10],
    ["29/10", 25],
    ["7/20", 70],
  ] as const)("takes the lower percentage for %s, which is between two bands", (price, percent) => {
    expect(findDeductionPercent(parsePrice(price))).toBe(percent);
  });
});

const price = fc.record({
  numerator: fc.integer({ min: 1, max: 500 }),
  denominator: fc.integer({ min: 1, max: 100 }),
});
const bet = fc.record({
  stakeCents: fc.constantFrom(500, 1000),
  price,
  deadHeatCount: fc.integer({ min: 1, max: 6 }),
  deductionPercents: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 4 }),
});

describe("for every bet", () => {
  test("the return is rounded down once, to the cent", () => {
    fc.assert(
      fc.property(bet, (each) => {
        const returnCents = BigInt(computeReturnAtPrice(each));
        // The exact return as a fraction over one denominator, by another formula.
        const hundreds = 100n ** BigInt(each.deductionPercents.length);
        const kept = each.deductionPercents.reduce(
          (product, percent) => product * BigInt(100 - percent),
          1n,
        );
        const denominator = BigInt(each.price.denominator) * hundreds * BigInt(each.deadHeatCount);
        const exact =
          BigInt(each.stakeCents) *
          (BigInt(each.price.denominator) * hundreds + BigInt(each.price.numerator) * kept);
        expect(returnCents * denominator <= exact).toBe(true);
        expect((returnCents + 1n) * denominator > exact).toBe(true);
      }),
    );
  });

  test("the order of the deductions has no effect", () => {
    fc.assert(
      fc.property(bet, (each) => {
        const deductionPercents = each.deductionPercents.toReversed();
        expect(computeReturnAtPrice({ ...each, deductionPercents })).toBe(
          computeReturnAtPrice(each),
        );
      }),
    );
  });

  test("a dead heat never returns more than a sole winner, in one share or in all shares together", () => {
    fc.assert(
      fc.property(bet, (each) => {
        const shared = computeReturnAtPrice(each);
        const whole = computeReturnAtPrice({ ...each, deadHeatCount: 1 });
        expect(shared).toBeGreaterThanOrEqual(0);
        expect(shared * each.deadHeatCount).toBeLessThanOrEqual(whole);
        expect(shared * each.deadHeatCount).toBeGreaterThan(whole - each.deadHeatCount);
      }),
    );
  });

  test("tax reduces only the winnings", () => {
    fc.assert(
      fc.property(bet, (each) => {
        const before = computeReturnAtPrice(each);
        const after = computeReturnAtPrice({ ...each, taxPercent: BETTING_TAX_PERCENT });
        expect(after).toBeLessThanOrEqual(before);
        expect(after).toBeGreaterThanOrEqual(Math.min(before, each.stakeCents));
      }),
    );
  });

  test("the tote's return is the dividend for each R1, rounded down", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(500, 1000),
        fc.integer({ min: 100, max: 10_000_000 }),
        (stake, d) => {
          expect(computeReturnAtTote(stake, d)).toBe(Math.floor((stake * d) / 100));
        },
      ),
    );
  });
});

test("for every result, a tip has stakes of at most R10 and no negative returns", () => {
  const runner = fc.record({
    outcome: fc.constantFrom("finished", "non-runner", "did-not-finish", "disqualified" as const),
    position: fc.option(fc.integer({ min: 1, max: 12 })),
    startingPrice: fc.option(price),
    winDividendCents: fc.option(fc.integer({ min: 100, max: 100_000 })),
    placeDividendCents: fc.option(fc.integer({ min: 100, max: 100_000 })),
  });
  fc.assert(
    fc.property(
      fc.array(runner, { maxLength: 12 }),
      fc.constantFrom("official", "abandoned", "void" as const),
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom("win", "place", "each-way" as const),
      fc.integer({ min: 1, max: 14 }),
      fc.boolean(),
      (details, status, placesPaid, tipType, horseNumber, isNamed) => {
        const runners = details.map((each, index) =>
          createRunner(index + 1, {
            ...each,
            position: each.outcome === "finished" ? each.position : null,
          } as Partial<NamedRunner>),
        );
        const starters = runners.filter((each) => each.outcome !== "non-runner").length;
        const result = {
          ...{ status, starters, placesPaid, runners },
          hasEnteredNames: isNamed,
        } as OfficialResult;
        const settlement = settleTip(createTip(tipType, horseNumber), result);
        const bets = [settlement.win, settlement.place].filter((each) => each !== null);
        const stakeCents = bets.reduce((sum, each) => sum + each.stakeCents, 0);
        expect(stakeCents === 0).toBe(settlement.outcome === "void");
        expect([0, 500, 1000]).toContain(stakeCents);
        for (const each of bets)
          for (const returnCents of [each.startingPriceReturnCents, each.toteReturnCents])
            if (returnCents !== null) expect(returnCents).toBeGreaterThanOrEqual(0);
        expect((settlement.voidReason !== null) === (settlement.outcome === "void")).toBe(true);
      },
    ),
  );
});
