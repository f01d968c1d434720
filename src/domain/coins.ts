/** The price of a race card in coins. */
export const CARD_PRICE_COINS = 4;
/** Coins granted with a guest's first purchase; spent on the race card in the same transaction. */
export const WELCOME_COINS = 4;

const wholeRand = new Intl.NumberFormat("en-ZA", { useGrouping: "min2", maximumFractionDigits: 0 });
const randWithCents = new Intl.NumberFormat("en-ZA", {
  useGrouping: "min2",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Formats integer cents as rand: 'R40', 'R1080', 'R28.50'. */
export function formatRand(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const format = cents % 100 === 0 ? wholeRand : randWithCents;
  return `${sign}R${format.format(Math.abs(cents) / 100).replace(",", ".")}`;
}

/** Formats a number of coins: '1 coin', '4 coins'. */
export function formatCoins(amount: number): string {
  return amount === 1 ? "1 coin" : `${amount} coins`;
}

/** Returns how many coins are missing to open a race card after owed coins are repaid; 0 if there are enough. */
export function countMissingCoins({
  balanceCoins,
  owedCoins,
}: {
  balanceCoins: number;
  owedCoins: number;
}): number {
  return Math.max(0, CARD_PRICE_COINS + owedCoins - balanceCoins);
}
