import { formatCardPrice, type PriceList } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";
import type { UnlockRefusal } from "#domain/refusal.ts";

type RefusalDetails = {
  racesRun: number;
  raceCount: number;
  balanceCoins: number;
  prices: Pick<PriceList, "cardCents">;
};

/** The messages for a race card that was not opened. */
export const UNLOCK_REFUSAL_MESSAGES: Record<UnlockRefusal, (details: RefusalDetails) => string> = {
  "not-signed-in": () => "Please log in to open race cards.",
  "race-card-not-found": () => "Invalid tip selected. Please try again.",
  "own-card": () => "This is your own race card. You can read it on your dashboard.",
  "not-on-sale": () => "This race card is no longer on sale.",
  "races-run": ({ racesRun, raceCount }) =>
    `${racesRun} of ${raceCount} races run. Open the race card anyway?`,
  "wallet-frozen": () =>
    "One of your payments is in dispute with the bank or being refunded. You can open race cards again once it is resolved. Your coins stay in your wallet.",
  owing: () =>
    "You owe coins after a refund. Buy coins to repay them, then you can open race cards again.",
  "too-few-coins": ({ balanceCoins, prices }) =>
    `A race card costs ${formatCardPrice(prices)}. You have ${formatCoins(balanceCoins)}.`,
};

/** The HTTP status of each refusal in the JSON API. */
export const STATUS_OF_REFUSAL = {
  "not-signed-in": 401,
  "race-card-not-found": 404,
  "own-card": 403,
  "not-on-sale": 409,
  "races-run": 409,
  "wallet-frozen": 409,
  owing: 402,
  "too-few-coins": 402,
} as const satisfies Record<UnlockRefusal, number>;

/** Returns the message for an unlock request without a response, whose outcome is unknown. */
export function noResponseMessage(raceCount: number): { title: string; message: string } {
  return {
    title:
      raceCount > 1
        ? "Failed to unlock daily racing. Please try again."
        : "Failed to unlock tip: no answer from Furlong. Please try again.",
    message: `If the race card did open, you were charged ${formatCoins(CARD_PRICE_COINS)} once. Trying again won't charge you twice.`,
  };
}

/** Returns the message for an opened race card, with the remaining balance. */
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
