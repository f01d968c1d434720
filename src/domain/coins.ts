/** What it costs to open a race card, in coins. */
export const CARD_PRICE_COINS = 4;
/** What a coin costs without a saving; every coin price is shown with its rand at this rate. */
export const COIN_CENTS = 1000;
/** What the creator earns on each sale: 70 % of R40. */
export const COMMISSION_CENTS = 2800;
/** Given to a guest with the first purchase; spent on the card in the same moment. */
export const WELCOME_COINS = 4;

const wholeRand = new Intl.NumberFormat("en-ZA", { useGrouping: "min2", maximumFractionDigits: 0 });
const randWithCents = new Intl.NumberFormat("en-ZA", {
  useGrouping: "min2",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Integer cents as rand: 'R40', 'R1080', 'R28.50'. */
export function formatRand(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const format = cents % 100 === 0 ? wholeRand : randWithCents;
  return `${sign}R${format.format(Math.abs(cents) / 100).replace(",", ".")}`;
}

/** '1 coin', '4 coins'. */
export function formatCoins(amount: number): string {
  return amount === 1 ? "1 coin" : `${amount} coins`;
}

/** What it costs to open a race card, in coins and in rand: '4 coins · R40'. */
export const CARD_PRICE_LABEL = `${formatCoins(CARD_PRICE_COINS)}\u00a0· ${formatRand(CARD_PRICE_COINS * COIN_CENTS)}`;
