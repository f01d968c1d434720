import { type CoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, COMMISSION_CENTS, WELCOME_COINS } from "#domain/coins.ts";

/** What a package brings once every coin of it is spent: its price less the commission of its cards. */
export function marginOf(pack: CoinPack) {
  const coins = pack.amountCoins + (pack.id === GUEST_DEAL.id ? WELCOME_COINS : 0);
  const cards = coins / CARD_PRICE_COINS;
  const commissionCents = cards * COMMISSION_CENTS;
  const marginCents = pack.priceCents - commissionCents;
  return {
    coins,
    cards,
    commissionCents,
    marginCents,
    marginPercent: Math.round((marginCents / pack.priceCents) * 100),
  };
}
