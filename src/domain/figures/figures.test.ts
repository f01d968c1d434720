import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SURFACES } from "../race-day.ts";
import type { SettledBet } from "../settlement.ts";
import { CONFIDENCES, TIP_TYPES } from "../tip.ts";
import { computeFigures, type SettledTip } from "./figures.ts";

const toCents = (text: string) => (text === "?" ? null : Math.round(Number(text) * 100));
const bet = (stakeCents: number, price: string | null, tote: string): SettledBet => ({
  stakeCents,
  startingPriceReturnCents: price === null ? null : toCents(price),
  toteReturnCents: toCents(tote),
});

/**
 * Twenty tips and their figures calculated by hand. Returns are in rand, `?` if the price is unknown, `-` if
 * the tip has no such bet. A win tip stakes R10.00, an each-way tip R5.00 and R5.00. Tip 13 is a dead heat of
 * two at 8/10; tip 16 is each-way in a race of five, where the tote pays no places.
 *
 * | the last columns | worked out as                                                            |
 * | ---------------- | ------------------------------------------------------------------------ |
 * | `run`            | running profit: Σ (SP return − win stake), by hand                        |
 * | `toteProfit`     | win and place returns at the tote − their stakes, by hand                 |
 */
const FIXTURE = `
 #  date  card venue       metres surface   conf   type     outcome win-SP win-tote place chance fav   run    toteProfit
 1  01-02 A    kenilworth  1000   turf      high   win      lost    0      0        -     0.2    20    -10    -10
 2  01-02 A    kenilworth  1200   turf      high   win      won     60     58       -     0.15   0     40     48
 3  01-02 A    kenilworth  1600   turf      low    place    won     -      -        17    ?      ?     40     7
 4  01-02 A    kenilworth  1800   turf      medium each-way placed  0      0        13    0.1    7.5   35     3
 5  01-05 B    durbanville ?      ?         high   win      lost    ?      0        -     ?      ?     35     -10
 6  01-05 B    durbanville 1200   turf      high   win      lost    0      0        -     0.25   0     25     -10
 7  01-05 B    durbanville 1400   turf      medium win      lost    0      0        -     0.1    25    15     -10
 8  01-05 B    durbanville 2400   turf      low    each-way lost    0      0        0     0.05   0     10     -10
 9  01-09 C    kenilworth  1000   turf      high   win      lost    0      ?        -     0.3    18    0      ?
10  01-09 C    kenilworth  1000   turf      low    place    lost    -      -        0     ?      ?     0      -10
11  01-09 C    kenilworth  1600   turf      high   win      lost    0      0        -     0.125  0     -10    -10
12  01-09 C    kenilworth  1601   turf      medium each-way won     45     40       13    0.1    0     30     43
13  01-12 D    vaal        1200   sand      high   win      won     9      11       -     0.45   9     29     1
14  01-12 D    vaal        1200   sand      high   win      lost    0      0        -     0.2    15    19     -10
15  01-12 D    vaal        1600   sand      low    place    won     -      -        ?     ?      ?     19     ?
16  01-12 D    vaal        2000   sand      medium each-way lost    0      0        -     0.05   0     14     -5
17  01-16 E    durbanville 2001   polytrack high   win      won     13.33  13       -     0.6    13.33 17.33  3
18  01-16 E    durbanville 1200   polytrack high   win      lost    0      0        -     ?      ?     7.33   -10
19  01-16 E    durbanville 1200   polytrack high   win      lost    0      0        -     0.125  20    -2.67  -10
20  01-16 E    durbanville 1200   polytrack low    win      won     60     62       -     0.125  0     47.33  52`;

function parseLine(line: string): { tip: SettledTip; run: number; toteProfit: string } {
  const cells = line.trim().split(/\s+/);
  const at = (index: number) => cells[index] ?? "";
  const number = at(0).padStart(2, "0");
  const stakeCents = at(7) === "each-way" ? 500 : 1000;
  const tip: SettledTip = {
    id: number,
    raceCardId: at(2),
    raceDate: `2026-${at(1)}`,
    offAt: `2026-${at(1)}T${number}:00:00.000Z`,
    raceNumber: Number(number),
    venueSlug: at(3),
    distanceMetres: at(4) === "?" ? null : Number(at(4)),
    surface: SURFACES.find((surface) => surface === at(5)) ?? null,
    confidence: CONFIDENCES.find((confidence) => confidence === at(6)) ?? "low",
    tipType: TIP_TYPES.find((type) => type === at(7)) ?? "win",
    outcome: at(8) === "won" ? "won" : at(8) === "placed" ? "placed" : "lost",
    win: at(9) === "-" ? null : bet(stakeCents, at(9), at(10)),
    place: at(11) === "-" ? null : bet(stakeCents, null, at(11)),
    expectedWin: at(12) === "?" ? null : Number(at(12)),
    favouriteReturnCents: toCents(at(13)),
  };
  return { tip, run: Math.round(Number(at(14)) * 100), toteProfit: at(15) };
}

const LINES = FIXTURE.trim().split("\n").slice(1).map(parseLine);
const TIPS = LINES.map(({ tip }) => tip);

describe("the figures of twenty tips, calculated by hand", () => {
  const figures = computeFigures(TIPS);

  it("has the strike rate with its confidence interval", () => {
    // Won: 2, 3, 12, 13, 15, 17, 20. Placed each-way: 4.
    expect(figures).toMatchObject({ settled: 20, won: 8, strikeRate: { percent: 40 } });
    expect(figures.strikeRate?.lowPercent).toBeCloseTo(21.88, 2);
    expect(figures.strikeRate?.highPercent).toBeCloseTo(61.34, 2);
  });

  it("has the profit at the starting price", () => {
    // Staked: 12 × 10 + 4 × 5 = 140. Returned: 60 + 45 + 9 + 13.33 + 60 = 187.33.
    // Tax: 6 % of 50, 40, 3.33 and 50 = 3 + 2.40 + 0.20 + 3 = 8.60; the dead heat lost, so it is not taxed.
    expect(figures.startingPrice).toEqual({
      tips: 16,
      unpriced: 1,
      stakedCents: 14000,
      returnedCents: 18733,
      profitCents: 4733,
      profitAfterTaxCents: 3873,
      yieldPercent: (4733 / 14000) * 100,
      yieldAfterTaxPercent: (3873 / 14000) * 100,
      yieldRange: null,
    });
  });

  it("has the profit at the tote", () => {
    // Staked: 17 × 10 + 5 = 175. Profit: Σ of the last column.
    // Tax, bet by bet: 2.88 + 0.42 + 0.48 + 2.10 + 0.48 + 0.06 + 0.18 + 3.12 = 9.72.
    const profits = LINES.filter((line) => line.toteProfit !== "?").map((line) =>
      Number(line.toteProfit),
    );
    expect(profits.reduce((total, profit) => total + profit, 0)).toBe(52);
    expect(figures.tote).toMatchObject({
      tips: 18,
      unpriced: 2,
      stakedCents: 17500,
      returnedCents: 22700,
      profitCents: 5200,
      profitAfterTaxCents: 4228,
    });
  });

  it("subtracts R40 for each race card", () => {
    expect(figures.afterCards).toEqual({
      cards: 5,
      costCents: 20000,
      startingPriceProfitCents: -15267,
      toteProfitCents: -14800,
    });
  });

  it("compares the winners with the prices", () => {
    // The chances of 15 tips sum to 2.925; won: 2, 12, 13, 17, 20.
    expect(figures.luck).toMatchObject({ tips: 15, won: 5 });
    expect(figures.luck?.expectedWins).toBeCloseTo(2.925, 10);
    expect(figures.luck?.actualToExpected).toBeCloseTo(5 / 2.925, 10);
  });

  it("has the longest losing run and the worst drawdown", () => {
    expect(figures.longestLosingRun).toBe(7);
    // From +40.00 after tip 2 to −10.00 after tip 11.
    expect(figures.worstDrawdown).toEqual({ cents: 5000, from: "2026-01-02", until: "2026-01-09" });
  });

  it("compares with the favourites of the same races", () => {
    // Without tip 18: staked 130, profit 47.33 + 10. The favourites returned 127.83.
    expect(figures.againstFavourite).toEqual({
      tips: 15,
      stakedCents: 13000,
      profitCents: 5733,
      favouriteProfitCents: -217,
    });
  });

  it("has the running profit by race date", () => {
    const days = LINES.filter(
      ({ tip }, index) => tip.raceDate !== LINES[index + 1]?.tip.raceDate,
    ).map(({ tip, run }) => ({ raceDate: tip.raceDate, profitCents: run }));
    expect(figures.series.map(({ raceDate, profitCents }) => ({ raceDate, profitCents }))).toEqual(
      days,
    );
    expect(figures.series.map((point) => point.drawdownCents)).toEqual([500, 3000, 1000, 2600, 0]);
    // 27.50 − 25; then 25 − 25; then 18 − 25; then 24 − 25; then 33.33 − 30.
    expect(figures.series.map((point) => point.favouriteProfitCents)).toEqual([
      250, 250, -450, -550, -217,
    ]);
    expect(figures.series.map((point) => point.tips)).toEqual([3, 6, 9, 12, 16]);
  });

  it("has the figures of each slice of the record", () => {
    const parts = (kind: keyof typeof figures.slices) =>
      figures.slices[kind].map(({ key, settled, won }) => [key, settled, won]);
    expect(parts("venue")).toEqual([
      ["durbanville", 8, 2],
      ["kenilworth", 8, 4],
      ["vaal", 4, 2],
    ]);
    expect(parts("distance")).toEqual([
      ["to-1200", 10, 3],
      ["to-1600", 4, 2],
      ["to-2000", 3, 2],
      ["longer", 2, 1],
      ["unknown", 1, 0],
    ]);
    expect(parts("type")).toEqual([
      ["win", 13, 4],
      ["place", 3, 2],
      ["each-way", 4, 2],
    ]);
    expect(parts("surface")).toEqual([
      ["turf", 11, 4],
      ["polytrack", 4, 2],
      ["sand", 4, 2],
      ["unknown", 1, 0],
    ]);
    expect(parts("confidence")).toEqual([
      ["high", 11, 3],
      ["medium", 4, 2],
      ["low", 5, 3],
    ]);
  });

  it("has the last outcomes, oldest first", () => {
    expect(figures.form).toEqual(TIPS.map((tip) => tip.outcome));
  });
});

describe("a record without tips", () => {
  it("has no rates", () => {
    expect(computeFigures([])).toMatchObject({
      settled: 0,
      strikeRate: null,
      startingPrice: { tips: 0, profitCents: 0, yieldPercent: null, yieldRange: null },
      luck: null,
      longestLosingRun: 0,
      worstDrawdown: { cents: 0, from: null, until: null },
      series: [],
      form: [],
    });
  });
});

/** Win tips at R10.00 with these returns in cents. */
function createTips(returns: readonly number[], details: Partial<SettledTip> = {}): SettledTip[] {
  const [first] = TIPS;
  if (!first) throw new Error("no tip");
  return returns.map((cents, index) => ({
    ...first,
    id: String(index).padStart(6, "0"),
    offAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
    outcome: cents > 0 ? "won" : "lost",
    win: { stakeCents: 1000, startingPriceReturnCents: cents, toteReturnCents: null },
    ...details,
  }));
}

describe("the range of the yield", () => {
  const returns = Array.from({ length: 60 }, (_, index) => (index % 4 === 0 ? 6000 : 0));

  it("is 1.96 standard errors on each side", () => {
    // 15 of 60 at 5/1: yields of +5 and −1, mean 0.5, s = √(15 × 4.5² + 45 × 1.5²) / 59) = 2.62; s/√60 = 0.338.
    const { startingPrice } = computeFigures(createTips(returns));
    expect(startingPrice.yieldPercent).toBe(50);
    expect(startingPrice.yieldRange?.lowPercent).toBeCloseTo(-16.3, 1);
    expect(startingPrice.yieldRange?.highPercent).toBeCloseTo(116.3, 1);
  });

  test.each([
    [49, null],
    [50, expect.any(Object)],
  ])("with %i tips is %j", (count, range) => {
    const { startingPrice } = computeFigures(createTips(returns.slice(0, count)));
    expect(startingPrice.yieldRange).toEqual(range);
  });
});

test("the chart has at most 400 points and ends with the last race date", () => {
  const tips = createTips(Array.from({ length: 1001 }, () => 0)).map((tip, index) => ({
    ...tip,
    raceDate: new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
    offAt: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
  }));
  const { series } = computeFigures(tips);
  expect(series).toHaveLength(334);
  expect(series.at(-1)).toMatchObject({ raceDate: "2026-09-27", tips: 1001 });
});

describe("for all records", () => {
  const settledTip = fc
    .record({
      raceCardId: fc.constantFrom("A", "B", "C"),
      day: fc.integer({ min: 1, max: 28 }),
      hour: fc.integer({ min: 10, max: 20 }),
      venueSlug: fc.constantFrom("vaal", "kenilworth", "fairview"),
      distanceMetres: fc.option(fc.integer({ min: 800, max: 3200 })),
      surface: fc.option(fc.constantFrom(...SURFACES)),
      tipType: fc.constantFrom(...TIP_TYPES),
      confidence: fc.constantFrom(...CONFIDENCES),
      hasWon: fc.boolean(),
      winReturn: fc.option(fc.integer({ min: 0, max: 100_000 })),
      toteReturn: fc.option(fc.integer({ min: 0, max: 100_000 })),
      expectedWin: fc.option(fc.double({ min: 0.01, max: 0.99, noNaN: true })),
      favouriteReturnCents: fc.integer({ min: 0, max: 3000 }),
    })
    .map(
      ({
        day,
        hour,
        hasWon,
        winReturn,
        toteReturn,
        expectedWin,
        ...tip
      }): Omit<SettledTip, "id"> => ({
        ...tip,
        raceDate: `2026-03-${String(day).padStart(2, "0")}`,
        offAt: new Date(Date.UTC(2026, 2, day, hour)).toISOString(),
        raceNumber: hour - 9,
        outcome: hasWon ? "won" : "lost",
        win:
          tip.tipType === "place"
            ? null
            : {
                stakeCents: tip.tipType === "win" ? 1000 : 500,
                startingPriceReturnCents: winReturn,
                toteReturnCents: toteReturn,
              },
        place:
          tip.tipType === "win"
            ? null
            : {
                stakeCents: tip.tipType === "place" ? 1000 : 500,
                startingPriceReturnCents: null,
                toteReturnCents: toteReturn,
              },
        expectedWin: tip.tipType === "place" ? null : expectedWin,
        favouriteReturnCents:
          tip.tipType === "place" || expectedWin === null ? null : tip.favouriteReturnCents,
      }),
    );
  const record = fc
    .array(settledTip, { maxLength: 80 })
    .map((tips): SettledTip[] => tips.map((tip, index) => ({ ...tip, id: String(index) })));

  it("does not depend on the order of the tips", () => {
    fc.assert(
      fc.property(
        record.chain((tips) =>
          fc.tuple(fc.constant(tips), fc.shuffledSubarray(tips, { minLength: tips.length })),
        ),
        ([tips, shuffled]) => {
          expect(computeFigures(shuffled)).toEqual(computeFigures(tips));
        },
      ),
    );
  });

  it("has slices that add up to the totals", () => {
    fc.assert(
      fc.property(record, (tips) => {
        const figures = computeFigures(tips);
        for (const parts of Object.values(figures.slices)) {
          const sum = (amountOf: (part: (typeof parts)[number]) => number) =>
            parts.reduce((total, part) => total + amountOf(part), 0);
          expect({
            settled: sum((part) => part.settled),
            won: sum((part) => part.won),
            profitCents: sum((part) => part.startingPrice.profitCents),
            unpriced: sum((part) => part.startingPrice.unpriced),
            afterTaxCents: sum((part) => part.startingPrice.profitAfterTaxCents),
            toteProfitCents: sum((part) => part.tote.profitCents),
          }).toEqual({
            settled: figures.settled,
            won: figures.won,
            profitCents: figures.startingPrice.profitCents,
            unpriced: figures.startingPrice.unpriced,
            afterTaxCents: figures.startingPrice.profitAfterTaxCents,
            toteProfitCents: figures.tote.profitCents,
          });
        }
      }),
    );
  });

  it("has a worst drawdown of at least any fall below the start and at most the sum of all losses", () => {
    fc.assert(
      fc.property(record, (tips) => {
        const { worstDrawdown, startingPrice, series } = computeFigures(tips);
        const losses = tips
          .flatMap(({ win }) =>
            win && win.startingPriceReturnCents !== null
              ? [Math.max(0, win.stakeCents - win.startingPriceReturnCents)]
              : [],
          )
          .reduce((total, loss) => total + loss, 0);
        expect(worstDrawdown.cents).toBeLessThanOrEqual(losses);
        expect(worstDrawdown.cents).toBeGreaterThanOrEqual(
          Math.max(0, -startingPrice.profitCents, ...series.map((point) => point.drawdownCents)),
        );
      }),
    );
  });

  it("taxes winnings only", () => {
    fc.assert(
      fc.property(record, (tips) => {
        const { tote, startingPrice } = computeFigures(tips);
        for (const returns of [tote, startingPrice]) {
          const taxCents = returns.profitCents - returns.profitAfterTaxCents;
          expect(taxCents).toBeGreaterThanOrEqual(0);
          expect(taxCents).toBeLessThanOrEqual(returns.returnedCents * 0.06 + 2 * returns.tips);
          expect(returns.profitCents).toBe(returns.returnedCents - returns.stakedCents);
        }
      }),
    );
  });

  it("has a losing run no longer than the tips that lost", () => {
    fc.assert(
      fc.property(record, (tips) => {
        const { longestLosingRun, settled, won } = computeFigures(tips);
        expect(longestLosingRun).toBeLessThanOrEqual(settled - won);
        expect(longestLosingRun).toBeGreaterThanOrEqual(Math.ceil((settled - won) / (won + 1)));
      }),
    );
  });
});

test("the confidence interval of 7 wins in 10 tips is 39.7 to 89.2 %", () => {
  const tips = createTips([1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
  const { strikeRate } = computeFigures(tips);
  expect(strikeRate?.percent).toBe(70);
  expect(strikeRate?.lowPercent).toBeCloseTo(39.7, 1);
  expect(strikeRate?.highPercent).toBeCloseTo(89.2, 1);
});
