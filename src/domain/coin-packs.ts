import { CARD_PRICE_COINS, formatCoins, formatRand } from "./coins.ts";

/**
 * A pack of coins for sale. This file is the only price list; a request names a pack, never a
 * price.
 */
export type CoinPack = {
  id: string;
  title: string;
  description: string;
  amountCoins: number;
  priceCents: number;
  savingCents: number;
  popular: boolean;
  features: string[];
};

function createPack(
  id: string,
  title: string,
  description: string,
  amountCoins: number,
  priceRand: number,
  savingRand: number,
  features: string[],
  popular = false,
): CoinPack {
  return {
    id,
    title,
    description,
    amountCoins,
    priceCents: priceRand * 100,
    savingCents: savingRand * 100,
    popular,
    features,
  };
}

const listSmallPackFeatures = (cards: number) => [
  cards === 1 ? "Opens 1 race card of your choice" : `Opens ${cards} race cards of your choice`,
  "4 coins per race card, whether it has one race or twelve",
  "Coins never expire",
];
const listLargePackFeatures = (cards: number) => [
  `${cards} days of racing insights at one track`,
  "4 coins per race card, whether it has one race or twelve",
  "Coins never expire",
];

/** The eight packs, smallest first, each named after a South African champion. */
export const COIN_PACKS: readonly CoinPack[] = [
  createPack(
    "starter_4",
    "Horse Chestnut",
    "One race card, to try us out",
    4,
    40,
    0,
    listSmallPackFeatures(1),
  ),
  createPack("value_8", "Sea Cottage", "Two race cards", 8, 70, 10, listSmallPackFeatures(2)),
  createPack(
    "pro_12",
    "Jet Master",
    "Three race cards",
    12,
    100,
    20,
    listSmallPackFeatures(3),
    true,
  ),
  createPack(
    "high_roller_20",
    "London News",
    "Five race cards",
    20,
    160,
    40,
    listSmallPackFeatures(5),
  ),
  createPack(
    "thunder_strike_40",
    "Pocket Power",
    "Ten race cards",
    40,
    360,
    40,
    listLargePackFeatures(10),
  ),
  createPack(
    "blazing_saddles_120",
    "Igugu",
    "A race card a day for a month",
    120,
    1080,
    120,
    listLargePackFeatures(30),
  ),
  createPack(
    "elite_pro_200",
    "Captain Al",
    "Fifty race cards",
    200,
    1800,
    200,
    listLargePackFeatures(50),
  ),
  createPack(
    "ultimate_champion_400",
    "Variety Club",
    "A hundred race cards",
    400,
    3600,
    400,
    listLargePackFeatures(100),
  ),
];

/** The guest offer: one locked race card and four coins for the next. */
export const GUEST_DEAL: CoinPack = createPack(
  "unlock_tip_starter",
  "This race card and 4 coins",
  "The race card you are viewing, plus 4 coins for the next one",
  4,
  40,
  0,
  ["Opens this race card now", "4 coins in your wallet for the next one", "Coins never expire"],
);

/** Returns what a race card costs with the coins of a pack, in cents. */
export function raceCardCents({ priceCents, amountCoins }: CoinPack): number {
  return (priceCents * CARD_PRICE_COINS) / amountCoins;
}

/** The coin pack with which a race card costs least; the smallest of several. */
export const CHEAPEST_PACK: CoinPack = COIN_PACKS.reduce((cheapest, pack) =>
  raceCardCents(pack) < raceCardCents(cheapest) ? pack : cheapest,
);

/** What the guest offer gives, in one sentence. */
export const GUEST_DEAL_OFFER = `${formatRand(GUEST_DEAL.priceCents)} opens it, and ${formatCoins(GUEST_DEAL.amountCoins)} are left for the next one.`;

export function findCoinPack(id: string): CoinPack | undefined {
  return id === GUEST_DEAL.id ? GUEST_DEAL : COIN_PACKS.find((pack) => pack.id === id);
}
