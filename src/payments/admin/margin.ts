import { type CoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, COMMISSION_CENTS, WELCOME_COINS } from "#domain/coins.ts";

/** Returns the margin of a package when all its coins are spent: price minus the commission of the race cards. */
export function calculateMargin(pack: CoinPack) {
  const coins = pack.amountCoins + (pack.id === GUEST_DEAL.id ? WELCOME_COINS : 0);
  const raceCards = coins / CARD_PRICE_COINS;
  const commissionCents = raceCards * COMMISSION_CENTS;
  const marginCents = pack.priceCents - commissionCents;
  return {
    coins,
    raceCards,
    commissionCents,
    marginCents,
    marginPercent: Math.round((marginCents / pack.priceCents) * 100),
  };
}
