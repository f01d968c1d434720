import * as v from "valibot";
import {
  emailInput,
  nameInput,
  passwordInput,
  termsAcceptedInput,
} from "#accounts/accounts.ui.tsx";

/** One key per rendered form, so that submitting it twice has one effect. */
const idempotencyKeyInput = v.pipe(
  v.string(),
  v.regex(/^[\w-]{16,80}$/, "Please reload this page and try again"),
);
const returnToInput = v.optional(v.pipe(v.string(), v.maxLength(500)), "/");

export const buyCoinsInput = v.object({
  coinPackId: v.pipe(v.string("Please choose a pack"), v.maxLength(60)),
  idempotencyKey: idempotencyKeyInput,
  returnTo: returnToInput,
  raceCardId: v.optional(v.string()),
});

export const guestPurchaseInput = v.object({
  name: nameInput,
  email: emailInput,
  password: passwordInput,
  agreed: termsAcceptedInput,
  idempotencyKey: idempotencyKeyInput,
  returnTo: returnToInput,
  acknowledgedRacesRun: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)),
    "0",
  ),
});

/** The id of a race card or of one of its tips, or an object with such an id. */
const tipToUnlockInput = v.union([
  v.pipe(v.string(), v.uuid("tipToUnlock is not an id")),
  v.pipe(
    v.object({ id: v.pipe(v.string(), v.uuid("tipToUnlock is not an id")) }),
    v.transform(({ id }) => id),
  ),
]);

const url = v.pipe(v.string(), v.maxLength(500));

/**
 * The body of create-checkout-session. Only packageId decides what is bought; price, coins and currency
 * are optional and must match the coin pack.
 */
export const createCheckoutSessionInput = v.object({
  packageId: v.pipe(v.string("packageId is missing"), v.maxLength(60)),
  coins: v.optional(v.number()),
  price: v.optional(v.number()),
  title: v.optional(v.string()),
  currency: v.optional(v.string()),
  customerEmail: v.optional(v.string()),
  customerName: v.optional(v.string()),
  successUrl: v.optional(url),
  cancelUrl: v.optional(url),
  tipToUnlock: v.optional(tipToUnlockInput),
  userRegistration: v.optional(
    v.object({
      email: emailInput,
      name: nameInput,
      password: passwordInput,
      // Missing means not agreed; the error message tells older clients what to send.
      agreed: v.optional(v.boolean(), false),
    }),
  ),
});

export type CreateCheckoutSession = v.InferOutput<typeof createCheckoutSessionInput>;
