import { BUSY, tooManyAttempts, WEAK_PASSWORD } from "#identity/identity.ui.tsx";
import type { GuestRefusal } from "./start-guest-purchase.server.ts";
import type { StartRefusal } from "./start-purchase.server.ts";

// The words of refusals, in one place for pages and JSON alike.

/** What is said of a wallet that a dispute has frozen, where coins would be bought. */
export const WALLET_FROZEN =
  "A payment on your account is disputed with your bank. You can buy coins again once the dispute is decided. You have not been charged.";

const STARTING: Record<StartRefusal, string> = {
  "no-such-package": "That pack is no longer available. Please choose one of the packs below.",
  "guests-only": "This offer is for guests. Please choose one of the packs.",
  "too-many": tooManyAttempts(),
  "wallet-frozen": WALLET_FROZEN,
  "checkout-over": "That payment page has expired. Please try again.",
  "no-checkout-url": "No checkout URL returned",
  "provider-away": "Unable to start payment process. Please try again.",
};

const GUEST: Record<Exclude<GuestRefusal, StartRefusal>, string> = {
  "not-agreed": "Please confirm that you are 18 or older and agree to the terms",
  "weak-password": WEAK_PASSWORD,
  "not-on-sale": "This race card is no longer on sale.",
  "races-run": "More races on this race card have been run. Check it, then pay.",
  "has-account": "Email already registered. Please try logging in instead.",
  busy: BUSY,
};

/** What a buyer is told when no payment page was opened. */
export function refusalMessage(refusal: StartRefusal | GuestRefusal): string {
  return { ...STARTING, ...GUEST }[refusal];
}

/** The HTTP status that goes with it. */
export function refusalStatus(
  refusal: StartRefusal | GuestRefusal,
): 403 | 404 | 409 | 422 | 429 | 503 {
  switch (refusal) {
    case "no-such-package":
    case "not-agreed":
    case "weak-password":
      return 422;
    case "guests-only":
      return 403;
    case "too-many":
      return 429;
    case "not-on-sale":
    case "races-run":
    case "has-account":
    case "checkout-over":
    case "wallet-frozen":
      return 409;
    default:
      return 503;
  }
}

export const PLEASE_LOG_IN = "Please log in to purchase coins";
