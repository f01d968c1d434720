import { describe, expect, it } from "vitest";
import type { SettledBet } from "../settlement.ts";
import { computeLevelStakeResult, type StakedTip } from "./level-stakes.ts";

// The results are worked out by hand from the stakes and returns.

const winBet = (startingPriceReturnCents: number | null, stakeCents = 1000): SettledBet => ({
  stakeCents,
  startingPriceReturnCents,
  toteReturnCents: null,
});
const placeBet = (toteReturnCents: number | null, stakeCents = 1000): SettledBet => ({
  stakeCents,
  startingPriceReturnCents: null,
  toteReturnCents,
});
const createTip = (tip: Partial<StakedTip>): StakedTip => ({
  raceCardId: "card-1",
  win: null,
  place: null,
  ...tip,
});

describe("the result of a level stake", () => {
  it("scales returns to the stake and deducts the tax and the race cards", () => {
    const result = computeLevelStakeResult(
      [
        // R10 returns R45. At R20: R90, of which R70 are winnings with R4.20 tax. Profit R65.80.
        createTip({ win: winBet(4500) }),
        // R20 lost.
        createTip({ win: winBet(0) }),
        // R10 returns R17 on the tote. At R20: R34, winnings R14, tax 84c. Profit R13.16.
        createTip({ raceCardId: "card-2", place: placeBet(1700) }),
      ],
      2000,
    );
    // 65.80 - 20 + 13.16 = 58.96, less two race cards at R40.
    expect(result).toEqual({
      stakeCents: 2000,
      tips: 3,
      unpriced: 0,
      cards: 2,
      cardsCostCents: 8000,
      stakedCents: 6000,
      profitCents: -2104,
      range: null,
    });
  });

  it("puts half of the stake of an each-way tip on the win and half on the place", () => {
    // Of R20, R10 to win are lost. R5 to be placed returned R9, so R10 returns R18: R8 winnings, 48c tax.
    const tip = createTip({ win: winBet(0, 500), place: placeBet(900, 500) });
    expect(computeLevelStakeResult([tip], 2000).profitCents).toBe(-1000 + 800 - 48 - 4000);
  });

  it("rounds returns down and the tax of each bet up to the cent", () => {
    // 1333 * 1.5 = 1999.5, so 1999. Winnings 499, tax 29.94, so 30.
    const tip = createTip({ win: winBet(1333) });
    expect(computeLevelStakeResult([tip], 1500).profitCents).toBe(1999 - 30 - 1500 - 4000);
  });

  it("leaves a tip with an unknown price out of the amounts, but not its race card", () => {
    const result = computeLevelStakeResult(
      [
        createTip({ win: winBet(null) }),
        createTip({ raceCardId: "card-2", win: winBet(2000, 500), place: placeBet(null, 500) }),
      ],
      2000,
    );
    expect(result).toMatchObject({ tips: 0, unpriced: 2, cards: 2, stakedCents: 0 });
    expect(result.profitCents).toBe(-8000);
  });

  it("has a range from 50 tips", () => {
    // At R10, a winner at 4/1 makes R40 less R2.40 tax, R37.60; a loser loses R10.
    const createRecord = (winners: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        createTip({ win: winBet(index < winners ? 5000 : 0) }),
      );
    expect(computeLevelStakeResult(createRecord(10, 49), 1000).range).toBeNull();
    const { profitCents, range } = computeLevelStakeResult(createRecord(10, 50), 1000);
    // 10 * 37.60 - 40 * 10 - 40 = -64.
    expect(profitCents).toBe(-6400);
    // The mean is -48c, the squares are 10 * 3808² + 40 * 952² = 181,260,800. Over 49, times 50, the root is 13,600.
    expect(range).toEqual({ lowCents: -6400 - 26656, highCents: -6400 + 26656 });
  });

  it("has neither tips nor race cards for an empty record", () => {
    expect(computeLevelStakeResult([], 2000)).toMatchObject({ tips: 0, cards: 0, profitCents: 0 });
  });
});
