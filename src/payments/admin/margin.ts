import { type CoinPack, GUEST_DEAL, raceCardCents } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, WELCOME_COINS } from "#domain/coins.ts";

/** Returns the margin of a coin pack when all its coins are spent: price minus the earnings from each sale. */
export function calculateMargin(pack: CoinPack, earningPerSaleCents: number) {
  const coins = pack.amountCoins + (pack.id === GUEST_DEAL.id ? WELCOME_COINS : 0);
  const raceCards = coins / CARD_PRICE_COINS;
  const earningCents = raceCards * earningPerSaleCents;
  const marginCents = pack.priceCents - earningCents;
  return {
    coins,
    raceCards,
    earningCents,
    marginCents,
    marginPercent: Math.round((marginCents / pack.priceCents) * 100),
  };
}

/** A pack with which a race card costs more than with a smaller one. */
type DearerPack = {
  pack: CoinPack;
  /** The cheapest smaller pack a race card. */
  cheaper: CoinPack;
  /** The highest price in whole rand at which a race card costs no more than with the smaller pack. */
  sensibleCents: number;
};

/** Returns the packs, sorted by size, with which a race card costs more than with a smaller pack. */
export function findDearerPacks(packs: readonly CoinPack[]): DearerPack[] {
  return packs.flatMap((pack, index) => {
    const cheaper = packs
      .slice(0, index)
      .reduce(
        (lowest, smaller) => (raceCardCents(smaller) < raceCardCents(lowest) ? smaller : lowest),
        pack,
      );
    if (cheaper === pack) return [];
    const cents = (pack.amountCoins * cheaper.priceCents) / cheaper.amountCoins;
    return [{ pack, cheaper, sensibleCents: Math.floor(cents / 100) * 100 }];
  });
}
