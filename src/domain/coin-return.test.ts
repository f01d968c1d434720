import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  property,
  shuffledSubarray,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";
import {
  calculateDueCoins,
  calculateEarningOfCoins,
  planCoinReturn,
  type ReturnableSale,
} from "./coin-return.ts";
import { CARD_PRICE_COINS } from "./coins.ts";

const FULL_EARNING_CENTS = 2800;

/** Returns the shares that split_price in the database gives a sale: the remainder is on the first races. */
function splitPrice(races: number): number[] {
  const hundredths = CARD_PRICE_COINS * 100;
  return Array.from(
    { length: races },
    (_, index) => Math.floor(hundredths / races) + Number(index < hundredths % races),
  );
}

/** A sale of a race card whose first races are void. */
function makeSale(
  races: number,
  voidRaces: number,
  changes: Partial<ReturnableSale> = {},
): ReturnableSale {
  return {
    sharesHundredths: splitPrice(races),
    isDue: Array.from({ length: races }, (_, index) => index < voidRaces),
    returnedCoins: 0,
    lackingCoins: 0,
    fullEarningCents: FULL_EARNING_CENTS,
    earningCents: changes.fullEarningCents ?? FULL_EARNING_CENTS,
    isInPayout: false,
    reversalReason: null,
    ...changes,
  };
}

/** Any earning of a sale, in cents. */
const EARNING = integer({ min: 1, max: 4000 });

/** Returns the sale after its plan is applied. */
function applyPlan(sale: ReturnableSale): ReturnableSale {
  const plan = planCoinReturn(sale);
  if (!plan) return sale;
  return {
    ...sale,
    returnedCoins: sale.returnedCoins + plan.coins,
    earningCents: sale.earningCents - plan.reducedCents,
    reversalReason: plan.reversal
      ? ({ void: "void", lost: "lost", none: null } as const)[plan.reversal]
      : sale.reversalReason,
  };
}

/** Returns the cents owed to the creator for the sale. */
const owedCents = (sale: ReturnableSale) => (sale.reversalReason ? 0 : sale.earningCents);

describe("calculateDueCoins", () => {
  it.each([
    [1, [4]],
    [2, [2, 4]],
    [3, [2, 3, 4]],
    [4, [1, 2, 3, 4]],
    [7, [1, 2, 2, 3, 3, 4, 4]],
    [8, [1, 1, 2, 2, 3, 3, 4, 4]],
    [12, [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4]],
  ])("returns whole coins in the buyer's favour for a race card with %i races", (races, coins) => {
    const shares = splitPrice(races);
    const due = coins.map((_, last) =>
      calculateDueCoins(
        shares,
        shares.map((_share, index) => index <= last),
      ),
    );
    expect(due).toEqual(coins);
    expect(calculateDueCoins(shares, [])).toBe(0);
  });

  it("rounds the share of each void race up, whichever races are void", () => {
    // The last race of three has 133 hundredths, the first 134.
    expect(calculateDueCoins([134, 133, 133], [false, false, true])).toBe(2);
    // Three shares of 33 do not make a whole coin, three of 34 make more than one.
    const shares = splitPrice(12);
    const only = (...races: number[]) => shares.map((_, index) => races.includes(index));
    expect(calculateDueCoins(shares, only(9, 10, 11))).toBe(1);
    expect(calculateDueCoins(shares, only(0, 1, 2))).toBe(2);
  });
});

describe("calculateEarningOfCoins", () => {
  it.each([
    [2800, [0, 700, 1400, 2100, 2800]],
    [2400, [0, 600, 1200, 1800, 2400]],
    [2450, [0, 612, 1225, 1837, 2450]],
    [1, [0, 0, 0, 0, 1]],
  ])("divides an earning of %i cents by the coins of its sale, rounded down", (cents, parts) => {
    expect(parts.map((_, coins) => calculateEarningOfCoins(cents, coins))).toEqual(parts);
  });
});

describe("planCoinReturn", () => {
  it.each([
    [3000, [2250, 1500, 750, 0]],
    [2450, [1838, 1225, 613, 0]],
    [1, [1, 1, 1, 0]],
  ])(
    "leaves the part of the other coins of an earning of %i cents",
    (fullEarningCents, remaining) => {
      const remainders = [1, 2, 3, 4].map((voidRaces) =>
        owedCents(applyPlan(makeSale(4, voidRaces, { fullEarningCents }))),
      );
      expect(remainders).toEqual(remaining);
    },
  );

  it.each([
    [1, 1, 4, 0],
    [3, 1, 2, 1400],
    [3, 2, 3, 700],
    [3, 3, 4, 0],
    [7, 1, 1, 2100],
    [7, 2, 2, 1400],
    [7, 4, 3, 700],
    [7, 6, 4, 0],
    [8, 1, 1, 2100],
    [8, 3, 2, 1400],
    [8, 5, 3, 700],
    [8, 7, 4, 0],
    [12, 3, 2, 1400],
  ])(
    "of %i races with %i void returns %i coins and leaves %i cents",
    (races, voidRaces, coins, cents) => {
      const plan = planCoinReturn(makeSale(races, voidRaces));
      expect(plan?.coins).toBe(coins);
      expect(FULL_EARNING_CENTS + (plan?.payableCents ?? 0)).toBe(cents);
      expect(plan?.reversal).toBe(coins === CARD_PRICE_COINS ? "void" : null);
      expect(owedCents(applyPlan(makeSale(races, voidRaces)))).toBe(cents);
    },
  );

  it("changes nothing without a void race or when applied twice", () => {
    expect(planCoinReturn(makeSale(8, 0))).toBeNull();
    for (const voidRaces of [1, 3, 8])
      expect(planCoinReturn(applyPlan(makeSale(8, voidRaces)))).toBeNull();
  });

  it.each(["refund", "dispute"] as const)(
    "returns no coins for a sale that was once reversed by a %s",
    (reason) => {
      expect(planCoinReturn(makeSale(8, 8, { reversalReason: reason }))).toBeNull();
    },
  );

  it("returns the coins of a sale that a review reversed, and leaves it reversed", () => {
    for (const voidRaces of [2, 8])
      expect(planCoinReturn(makeSale(8, voidRaces, { reversalReason: "review" }))).toEqual({
        coins: voidRaces / 2,
        reducedCents: 0,
        reversal: null,
        payableCents: 0,
      });
    const returned = makeSale(8, 0, { reversalReason: "review", returnedCoins: 1 });
    expect(planCoinReturn(returned)).toBeNull();
  });

  it.each([
    [2800, 0, 1, 2100],
    [2800, 1, 3, 0],
    [2800, 1, 1, 1400],
    [2450, 1, 3, 0],
    [2450, 0, 3, 613],
  ])(
    "of %i cents with %i void races of four and %i lacking coins leaves %i cents",
    (fullEarningCents, voidRaces, lackingCoins, cents) => {
      const lost = applyPlan(makeSale(4, voidRaces, { fullEarningCents, lackingCoins }));
      expect(owedCents(lost)).toBe(cents);
      expect(lost.reversalReason).toBe(cents === 0 ? "lost" : null);
      const paid = applyPlan({ ...lost, lackingCoins: 0 });
      expect(paid).toEqual(applyPlan(makeSale(4, voidRaces, { fullEarningCents })));
    },
  );

  it("returns the coins of a lost sale that becomes void, and does not restore its earning", () => {
    const lost = applyPlan(makeSale(8, 0, { lackingCoins: 4 }));
    const voided = applyPlan({ ...lost, isDue: makeSale(8, 8).isDue });
    expect(voided).toMatchObject({ returnedCoins: 4, reversalReason: "void" });
    expect(planCoinReturn({ ...voided, lackingCoins: 0 })).toBeNull();
  });

  it("leaves an earning in a payout unchanged in both directions", () => {
    expect(planCoinReturn(makeSale(8, 8, { isInPayout: true }))).toMatchObject({
      coins: 4,
      reducedCents: 0,
      reversal: null,
      payableCents: 0,
    });
    const reduced = makeSale(8, 0, { isInPayout: true, earningCents: 2100, returnedCoins: 1 });
    expect(planCoinReturn(reduced)).toBeNull();
  });

  it("restores the earning after a correction, and the buyer keeps the coins", () => {
    const reduced = { ...applyPlan(makeSale(8, 3)), isDue: makeSale(8, 1).isDue };
    expect(planCoinReturn(reduced)).toEqual({
      coins: 0,
      reducedCents: -700,
      reversal: null,
      payableCents: 700,
    });
    const reversed = { ...applyPlan(makeSale(8, 8)), isDue: makeSale(8, 2).isDue };
    expect(planCoinReturn(reversed)).toEqual({
      coins: 0,
      reducedCents: 700,
      reversal: "none",
      payableCents: 2100,
    });
    const voidAgain = { ...applyPlan(reversed), isDue: makeSale(8, 8).isDue };
    expect(planCoinReturn(voidAgain)).toEqual({
      coins: 0,
      reducedCents: 0,
      reversal: "void",
      payableCents: -2100,
    });
  });

  it("ends with the same amounts for any order of void races and returns at most 4 coins", () => {
    assert(
      property(
        integer({ min: 1, max: 30 }).chain((races) => {
          const indexes = Array.from({ length: races }, (_, index) => index);
          return tuple(shuffledSubarray(indexes), constantFrom(races), EARNING);
        }),
        ([voidRaces, races, fullEarningCents]) => {
          let sale = makeSale(races, 0, { fullEarningCents });
          for (const race of voidRaces) {
            sale = applyPlan({ ...sale, isDue: sale.isDue.with(race, true) });
            expect(sale.returnedCoins).toBeLessThanOrEqual(CARD_PRICE_COINS);
          }
          const atOnce = applyPlan(makeSale(races, 0, { fullEarningCents, isDue: sale.isDue }));
          expect([sale.returnedCoins, owedCents(sale)]).toEqual([
            atOnce.returnedCoins,
            owedCents(atOnce),
          ]);
          expect(owedCents(sale)).toBe(
            fullEarningCents - calculateEarningOfCoins(fullEarningCents, sale.returnedCoins),
          );
        },
      ),
    );
  });

  it("ends with the earning of the last results after any void races and corrections", () => {
    const change = tuple(integer({ min: 0, max: 7 }), boolean());
    assert(
      property(EARNING, array(change, { maxLength: 6 }), (fullEarningCents, changes) => {
        let sale = makeSale(8, 0, { fullEarningCents });
        let highestDue = 0;
        for (const [race, isDue] of changes) {
          sale = applyPlan({ ...sale, isDue: sale.isDue.with(race, isDue) });
          highestDue = Math.max(highestDue, calculateDueCoins(sale.sharesHundredths, sale.isDue));
          const due = calculateDueCoins(sale.sharesHundredths, sale.isDue);
          expect(owedCents(sale)).toBe(
            fullEarningCents - calculateEarningOfCoins(fullEarningCents, due),
          );
          expect(sale.returnedCoins).toBe(highestDue);
        }
      }),
    );
  });
});
