import { type CoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, CREATOR_EARNING_CENTS, WELCOME_COINS } from "#domain/coins.ts";

/** Returns the margin of a coin pack when all its coins are spent: price minus the creators' earnings. */
export function calculateMargin(pack: CoinPack) {
  const coins = pack.amountCoins + (pack.id === GUEST_DEAL.id ? WELCOME_COINS : 0);
  const raceCards = coins / CARD_PRICE_COINS;
  const earningCents = raceCards * CREATOR_EARNING_CENTS;
  const marginCents = pack.priceCents - earningCents;
  return {
    coins,
    raceCards,
    earningCents,
    marginCents,
    marginPercent: Math.round((marginCents / pack.priceCents) * 100),
  };
}
