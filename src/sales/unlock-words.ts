import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";

/** What is said when nobody knows whether a card has opened, for no answer came. */
export function noResponseMessage(raceCount: number): { title: string; message: string } {
  return {
    title:
      raceCount > 1
        ? "Failed to unlock daily racing. Please try again."
        : "Failed to unlock tip: no answer from Furlong. Please try again.",
    message: `If the race card did open, you were charged ${formatCoins(CARD_PRICE_COINS)} once. Trying again won't charge you twice.`,
  };
}

/** What is said when a card has opened, and what is left. */
export function openedMessage({
  raceCount,
  balanceCoins,
}: {
  raceCount: number;
  balanceCoins: number;
}): { title: string; message?: string } {
  const left = balanceCoins === 1 ? "1 coin" : `${balanceCoins} coins`;
  return raceCount > 1
    ? { title: `${raceCount} races available`, message: `${left} remaining` }
    : { title: `Tip unlocked! ${left} remaining` };
}
