/** An event of a buyer's coins. */
export type CoinEvent =
  /** Coins of a purchase, welcome coins or a grant. `lostCoins` were refunded, or lost in a dispute. */
  | { kind: "received"; coins: number; lostCoins: number }
  /** An opened race card. `coins` are its price less the coins returned for void races. */
  | { kind: "sale"; saleId: number; coins: number };

/** What a buyer's lost coins leave behind. */
export type CoinPosition = {
  walletCoins: number;
  /** The coins that each sale lacks, without those that lack none. The buyer owes their sum. */
  lackingCoins: ReadonlyMap<number, number>;
};

/**
 * Returns the coins of a purchase that are lost with an amount of its price, to the nearest coin. Welcome coins are
 * lost with the whole price only.
 */
export function countLostCoins(
  {
    coins,
    welcomeCoins,
    amountCents,
  }: { coins: number; welcomeCoins: number; amountCents: number },
  lostCents: number,
): { coins: number; welcomeCoins: number } {
  return {
    coins: Math.round((coins * lostCents) / amountCents),
    welcomeCoins: lostCents === amountCents ? welcomeCoins : 0,
  };
}

/**
 * Returns the position of a buyer after these events, the oldest first, as if the lost coins had never come. A sale
 * takes the coins that are there and lacks the rest. The coins left at the end repay what sales lack, the oldest sale
 * first. The order in which coins were lost does not matter.
 */
export function calculateCoinPosition(events: readonly CoinEvent[]): CoinPosition {
  let walletCoins = 0;
  const unpaid: { saleId: number; coins: number }[] = [];
  for (const event of events)
    if (event.kind === "received") walletCoins += event.coins - event.lostCoins;
    else {
      const paidCoins = Math.min(walletCoins, event.coins);
      walletCoins -= paidCoins;
      unpaid.push({ saleId: event.saleId, coins: event.coins - paidCoins });
    }
  const lackingCoins = new Map<number, number>();
  for (const { saleId, coins } of unpaid) {
    const repaidCoins = Math.min(walletCoins, coins);
    walletCoins -= repaidCoins;
    if (coins > repaidCoins) lackingCoins.set(saleId, coins - repaidCoins);
  }
  return { walletCoins, lackingCoins };
}
