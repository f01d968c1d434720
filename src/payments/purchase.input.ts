import * as v from "valibot";
import { agreedInput, emailInput, nameInput, passwordInput } from "#identity/identity.ui.tsx";

/** Names one opening of a form, so that sending it twice is sending it once. */
const idempotencyKeyInput = v.pipe(
  v.string(),
  v.regex(/^[\w-]{16,80}$/, "Please reload this page and try again"),
);
const returnToInput = v.optional(v.pipe(v.string(), v.maxLength(500)), "/");

/** Buying a pack: which one, and nothing of its price. */
export const buyCoinsInput = v.object({
  packageId: v.pipe(v.string("Please choose a pack"), v.maxLength(60)),
  idempotencyKey: idempotencyKeyInput,
  returnTo: returnToInput,
});

/** A guest's purchase of one card. */
export const guestPurchaseInput = v.object({
  name: nameInput,
  email: emailInput,
  password: passwordInput,
  agreed: agreedInput,
  idempotencyKey: idempotencyKeyInput,
  returnTo: returnToInput,
  acknowledgedRacesRun: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)),
    "0",
  ),
});
