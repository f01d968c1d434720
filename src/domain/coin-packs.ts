import { CARD_PRICE_COINS, formatCoins, formatRand } from "./coins.ts";

/** A pack of coins. An admin can change its price for the future: `createPriceList`. */
export type CoinPackDefinition = {
  id: string;
  title: string;
  description: string;
  amountCoins: number;
  /** The price until it is changed. */
  firstPriceCents: number;
  popular: boolean;
  features: string[];
};

/** A pack of coins for sale. A request names a pack, never a price. */
export type CoinPack = CoinPackDefinition & {
  priceCents: number;
  /** How much less it costs than the same coins in the smallest packs. */
  savingCents: number;
};

/** The prices of one instant. */
export type PriceList = {
  coinPacks: readonly CoinPack[];
  guestDeal: CoinPack;
  /** The price of a race card at the price of the smallest pack. */
  cardCents: number;
};

function createPack(
  id: string,
  title: string,
  description: string,
  amountCoins: number,
  firstPriceRand: number,
  features: string[],
  popular = false,
): CoinPackDefinition {
  return {
    id,
    title,
    description,
    amountCoins,
    firstPriceCents: firstPriceRand * 100,
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
export const COIN_PACKS: readonly CoinPackDefinition[] = [
  createPack(
    "starter_4",
    "Horse Chestnut",
    "One race card, to try us out",
    4,
    40,
    listSmallPackFeatures(1),
  ),
  createPack("value_8", "Sea Cottage", "Two race cards", 8, 70, listSmallPackFeatures(2)),
  createPack("pro_12", "Jet Master", "Three race cards", 12, 100, listSmallPackFeatures(3), true),
  createPack("high_roller_20", "London News", "Five race cards", 20, 160, listSmallPackFeatures(5)),
  createPack(
    "thunder_strike_40",
    "Pocket Power",
    "Ten race cards",
    40,
    360,
    listLargePackFeatures(10),
  ),
  createPack(
    "blazing_saddles_120",
    "Igugu",
    "A race card a day for a month",
    120,
    1080,
    listLargePackFeatures(30),
  ),
  createPack(
    "elite_pro_200",
    "Captain Al",
    "Fifty race cards",
    200,
    1800,
    listLargePackFeatures(50),
  ),
  createPack(
    "ultimate_champion_400",
    "Variety Club",
    "A hundred race cards",
    400,
    3600,
    listLargePackFeatures(100),
  ),
];

/** The guest offer: one locked race card and four coins for the next. */
export const GUEST_DEAL: CoinPackDefinition = createPack(
  "unlock_tip_starter",
  "This race card and 4 coins",
  "The race card you are viewing, plus 4 coins for the next one",
  4,
  40,
  ["Opens this race card now", "4 coins in your wallet for the next one", "Coins never expire"],
);

/** The smallest pack holds the coins of one race card. */
const SMALLEST_PACK_ID = "starter_4";

/** Returns the price list with these prices, in cents, by the id of the pack. The other packs have their first price. */
export function createPriceList(centsById: Readonly<Record<string, number>> = {}): PriceList {
  const getCents = (pack: CoinPackDefinition) => centsById[pack.id] ?? pack.firstPriceCents;
  const smallestPack = COIN_PACKS.find(({ id }) => id === SMALLEST_PACK_ID);
  if (smallestPack?.amountCoins !== CARD_PRICE_COINS) throw new Error("no pack holds one card");
  const cardCents = getCents(smallestPack);
  const price = (pack: CoinPackDefinition): CoinPack => {
    const priceCents = getCents(pack);
    const fullCents = (pack.amountCoins / CARD_PRICE_COINS) * cardCents;
    return { ...pack, priceCents, savingCents: Math.max(0, fullCents - priceCents) };
  };
  return { coinPacks: COIN_PACKS.map(price), guestDeal: price(GUEST_DEAL), cardCents };
}

/** Returns the prices that differ from the first ones, in cents, by the id of the pack. */
export function listChangedCents({ coinPacks, guestDeal }: PriceList): Record<string, number> {
  const changed = [...coinPacks, guestDeal].filter(
    (pack) => pack.priceCents !== pack.firstPriceCents,
  );
  return Object.fromEntries(changed.map(({ id, priceCents }) => [id, priceCents]));
}

/** Returns what a race card costs with the coins of a pack, in cents. */
export function raceCardCents({
  priceCents,
  amountCoins,
}: Pick<CoinPack, "priceCents" | "amountCoins">): number {
  return (priceCents * CARD_PRICE_COINS) / amountCoins;
}

/** Returns the coin pack with which a race card costs least; the smallest of several. */
export function findCheapestPack(packs: readonly CoinPack[]): CoinPack | undefined {
  return [...packs].sort((a, b) => raceCardCents(a) - raceCardCents(b))[0];
}

/** Returns the price of some coins at the price of the smallest pack, in cents. */
export function coinsCents({ cardCents }: Pick<PriceList, "cardCents">, coins: number): number {
  return Math.round((coins * cardCents) / CARD_PRICE_COINS);
}

/** Formats the price of a race card in coins and in rand: '4 coins · R40'. */
export function formatCardPrice({ cardCents }: Pick<PriceList, "cardCents">): string {
  return `${formatCoins(CARD_PRICE_COINS)}\u00a0· ${formatRand(cardCents)}`;
}

/** What the guest offer gives, in one sentence. */
export function describeGuestDeal({ guestDeal }: Pick<PriceList, "guestDeal">): string {
  return `${formatRand(guestDeal.priceCents)} opens it, and ${formatCoins(guestDeal.amountCoins)} are left for the next one.`;
}
