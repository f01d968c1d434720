import { CARD_PRICE_LABEL, formatCoins } from "#domain/coins.ts";
import type { UnlockRefusal } from "#domain/refusal.ts";

type RefusalDetails = { racesRun: number; raceCount: number; balanceCoins: number };

/** What a person is told when a card does not open. */
export const UNLOCK_REFUSAL_MESSAGES: Record<UnlockRefusal, (details: RefusalDetails) => string> = {
  "not-signed-in": () => "Please log in to open race cards.",
  "no-such-card": () => "Invalid tip selected. Please try again.",
  "own-card": () => "This is your own race card. You can read it on your dashboard.",
  "not-on-sale": () => "This race card is no longer on sale.",
  "races-run": ({ racesRun, raceCount }) =>
    `${racesRun} of ${raceCount} races run. Open the race card anyway?`,
  "wallet-frozen": () =>
    "One of your payments is in dispute with the bank. You can open race cards again once it is settled. Your coins stay in your wallet.",
  owing: () =>
    "You owe coins after a refund. Buy coins to repay them, then you can open race cards again.",
  "too-few-coins": ({ balanceCoins }) =>
    `A race card costs ${CARD_PRICE_LABEL}. You have ${formatCoins(balanceCoins)}.`,
};

/** The status that the JSON API answers it with. */
export const STATUS_OF_REFUSAL = {
  "not-signed-in": 401,
  "no-such-card": 404,
  "own-card": 403,
  "not-on-sale": 409,
  "races-run": 409,
  "wallet-frozen": 409,
  owing: 402,
  "too-few-coins": 402,
} as const satisfies Record<UnlockRefusal, number>;
