import * as v from "valibot";

/** The maximum of one grant, which limits the damage of a typing error. */
export const MAX_GRANT_COINS = 400;

const INVALID_AMOUNT = `Please enter a whole number of coins from 1 to ${MAX_GRANT_COINS}`;

/** The grant form. The idempotency key is unique per form, so that sending it twice grants once. */
export const grantCoinsInput = v.object({
  amountCoins: v.pipe(
    v.union([v.string(), v.number()], INVALID_AMOUNT),
    v.transform((value) => (value === "" ? Number.NaN : Number(value))),
    v.number(INVALID_AMOUNT),
    v.integer(INVALID_AMOUNT),
    v.minValue(1, INVALID_AMOUNT),
    v.maxValue(MAX_GRANT_COINS, INVALID_AMOUNT),
  ),
  reason: v.pipe(
    v.string("Please enter a reason"),
    v.trim(),
    v.nonEmpty("Please enter a reason"),
    v.maxLength(300, "Reason must be at most 300 characters long"),
  ),
  idempotencyKey: v.pipe(v.string(), v.regex(/^[\w-]{8,100}$/)),
});

export type GrantCoinsInput = v.InferOutput<typeof grantCoinsInput>;
