import { tooManyAttemptsMessage, WEAK_PASSWORD } from "#accounts/accounts.ui.tsx";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import type { GuestRefusal } from "./start-guest-purchase.server.ts";
import type { StartRefusal } from "./start-purchase.server.ts";

// Messages for refusals, shared by pages and JSON responses.

export const WALLET_FROZEN_MESSAGE =
  "A payment on your account is disputed with your bank or being refunded. You can buy coins again once that is done. You have not been charged.";

const START_MESSAGES: Record<StartRefusal, string> = {
  "no-such-coin-pack": "That pack is no longer available. Please choose one of the packs below.",
  "guests-only": "This offer is for guests. Please choose one of the packs.",
  "too-many": tooManyAttemptsMessage(),
  "wallet-frozen": WALLET_FROZEN_MESSAGE,
  "not-on-sale": "This race card is no longer on sale. You have not been charged.",
  "price-changed": "The price has changed. Check it, then pay. You have not been charged.",
  "checkout-expired": "That payment page has expired. Please try again.",
  "no-checkout-url": "No checkout URL returned",
  "provider-unavailable": "Unable to start payment process. Please try again.",
};

const GUEST_MESSAGES: Record<Exclude<GuestRefusal, StartRefusal>, string> = {
  "not-agreed": "Please confirm that you are 18 or older and agree to the terms",
  "weak-password": WEAK_PASSWORD,
  "races-run": "More races on this race card have been run. Check it, then pay.",
  "has-account": "Email already registered. Please try logging in instead.",
  busy: SERVER_BUSY_MESSAGE,
};

/** Returns the message for a refusal to open a payment page. */
export function refusalMessage(refusal: StartRefusal | GuestRefusal): string {
  return { ...START_MESSAGES, ...GUEST_MESSAGES }[refusal];
}

/** Returns the HTTP status for a refusal. */
export function refusalStatus(
  refusal: StartRefusal | GuestRefusal,
): 403 | 404 | 409 | 422 | 429 | 503 {
  switch (refusal) {
    case "no-such-coin-pack":
    case "not-agreed":
    case "weak-password":
      return 422;
    case "guests-only":
      return 403;
    case "too-many":
      return 429;
    case "not-on-sale":
    case "price-changed":
    case "races-run":
    case "has-account":
    case "checkout-expired":
    case "wallet-frozen":
      return 409;
    default:
      return 503;
  }
}

export const SIGN_IN_REQUIRED_MESSAGE = "Please log in to purchase coins";
