import { expect, test } from "vitest";
import { createPriceList } from "#domain/coin-packs.ts";
import { calculateMargin, findDearerPacks } from "./margin.ts";

const { coinPacks, guestDeal } = createPriceList();

test.each([
  ["starter_4", 1, 2800, 1200],
  ["value_8", 2, 5600, 1400],
  ["pro_12", 3, 8400, 1600],
  ["high_roller_20", 5, 14000, 2000],
  ["thunder_strike_40", 10, 28000, 8000],
  ["blazing_saddles_120", 30, 84000, 24000],
  ["elite_pro_200", 50, 140000, 40000],
  ["ultimate_champion_400", 100, 280000, 80000],
])(
  "calculates for %s: %i race cards, %i cents of creator earnings, %i cents of margin",
  (id, raceCards, earning, margin) => {
    const pack = coinPacks.find((coinPack) => coinPack.id === id);
    expect(pack && calculateMargin(pack, 2800)).toMatchObject({
      raceCards,
      earningCents: earning,
      marginCents: margin,
    });
  },
);

test("returns a negative margin of R16 for the guest deal, which opens two race cards", () => {
  expect(calculateMargin(guestDeal, 2800)).toMatchObject({
    coins: 8,
    raceCards: 2,
    earningCents: 5600,
    marginCents: -1600,
    marginPercent: -40,
  });
});

test("finds the larger packs that cost more a race card than a smaller one, with a price that would make sense", () => {
  const found = findDearerPacks(coinPacks).map(({ pack, cheaper, sensibleCents }) => [
    pack.amountCoins,
    cheaper.amountCoins,
    sensibleCents,
  ]);
  expect(found).toEqual([
    [40, 20, 32_000],
    [120, 20, 96_000],
    [200, 20, 160_000],
    [400, 20, 320_000],
  ]);
});

test("finds no pack that costs as much a race card as a smaller one, and one that costs a rand more", () => {
  const sell = (amountCoins: number, priceCents: number) => ({
    ...guestDeal,
    amountCoins,
    priceCents,
  });
  expect(findDearerPacks([sell(4, 4000), sell(12, 12_000)])).toEqual([]);
  expect(findDearerPacks([sell(4, 4000), sell(12, 12_100)])).toMatchObject([
    { sensibleCents: 12_000 },
  ]);
  // Rounds down to whole rand.
  expect(findDearerPacks([sell(12, 10_000), sell(20, 17_000)])).toMatchObject([
    { sensibleCents: 16_600 },
  ]);
});
