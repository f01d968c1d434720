import * as v from "valibot";
import { reasonInput } from "#admin-kit/admin-kit.ui.tsx";

const AMOUNT = "Please enter an amount in rand, for example 40 or 40.50";
const BEARER = "Please choose who bears coins that are spent";

/** An amount in rand, in cents. */
export const randInput = v.pipe(
  v.string(AMOUNT),
  v.maxLength(9, AMOUNT),
  v.trim(),
  v.regex(/^\d{1,6}(?:\.\d\d)?$/, AMOUNT),
  v.transform((text) => Math.round(Number(text) * 100)),
);

/** What a refund is of, and who bears the coins that the buyer has spent. */
export const refundTermsInput = v.object({
  amount: v.pipe(randInput, v.minValue(1, AMOUNT)),
  bearer: v.picklist(["buyer", "house"], BEARER),
});

/** An amount in cents that the form showed. It differs from every amount if the form has none. */
export const shownCentsInput = v.pipe(
  v.optional(v.string(), ""),
  v.transform((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)),
);

/**
 * The confirmed refund. `id` makes a repeated request the same refund. `remaining` is what was left of the payment when
 * the admin saw what the refund changes.
 */
export const refundInput = v.object({
  ...refundTermsInput.entries,
  id: v.pipe(v.string(), v.uuid()),
  remaining: shownCentsInput,
  reason: reasonInput,
});
