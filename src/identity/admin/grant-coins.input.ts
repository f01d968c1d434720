import * as v from "valibot";

/** The most that is granted at once: a slip of the finger stays a small one. */
export const MAX_GRANT_COINS = 400;

const AMOUNT = `Please enter a whole number of coins from 1 to ${MAX_GRANT_COINS}`;

/** Coins for a reason. The key is the form's own: sending it twice grants once. */
export const grantCoinsInput = v.object({
  amountCoins: v.pipe(
    v.union([v.string(), v.number()], AMOUNT),
    v.transform((given) => (given === "" ? Number.NaN : Number(given))),
    v.number(AMOUNT),
    v.integer(AMOUNT),
    v.minValue(1, AMOUNT),
    v.maxValue(MAX_GRANT_COINS, AMOUNT),
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
