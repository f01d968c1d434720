import * as v from "valibot";

// The fields of Paystack's objects that the gateway reads. Amounts can be texts, and ids have up to 64 bits.

const id = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger()), v.pipe(v.string(), v.nonEmpty())]),
  v.transform(String),
);

const cents = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/))]),
  v.transform(Number),
  v.safeInteger(),
  v.minValue(0),
);

const instant = v.fallback(
  v.nullable(
    v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
      v.check((date) => !Number.isNaN(date.getTime())),
    ),
  ),
  null,
);

/** The card of a payment. Other payment methods have none, or an object without a signature. */
const authorization = v.fallback(
  v.nullable(
    v.object({
      signature: v.nullish(v.string()),
      brand: v.nullish(v.string()),
      last4: v.nullish(v.string()),
      account_name: v.nullish(v.string()),
    }),
  ),
  null,
);

export const transactionSchema = v.object({
  id,
  reference: v.string(),
  status: v.string(),
  /** What the customer was charged. It includes the fees if the customer bears them. */
  amount: cents,
  /** What we asked for. */
  requested_amount: v.nullish(cents),
  currency: v.pipe(v.string(), v.toLowerCase()),
  domain: v.nullish(v.string()),
  channel: v.nullish(v.string()),
  paid_at: v.optional(instant, null),
  created_at: v.optional(instant, null),
  createdAt: v.optional(instant, null),
  authorization: v.optional(authorization, null),
});
export type Transaction = v.InferOutput<typeof transactionSchema>;

export const refundSchema = v.object({
  id,
  status: v.string(),
  amount: cents,
  /** Its id; the answer to a new refund has the whole transaction. */
  transaction: v.union([
    id,
    v.pipe(
      v.object({ id }),
      v.transform((transaction) => transaction.id),
    ),
  ]),
  transaction_reference: v.nullish(v.string()),
  merchant_note: v.nullish(v.string()),
  /** The dispute that caused it. */
  dispute: v.optional(v.unknown()),
  domain: v.nullish(v.string()),
});
export type Refund = v.InferOutput<typeof refundSchema>;

export const disputeSchema = v.object({
  id,
  status: v.string(),
  resolution: v.nullish(v.string()),
  refund_amount: v.nullish(cents),
  currency: v.nullish(v.pipe(v.string(), v.toLowerCase())),
  dueAt: v.optional(instant, null),
  domain: v.nullish(v.string()),
  transaction: v.object({ id, reference: v.nullish(v.string()) }),
});
export type Dispute = v.InferOutput<typeof disputeSchema>;

/** A transfer in a list. What it says is read again. */
export const transferSchema = v.object({ reference: v.string(), domain: v.nullish(v.string()) });

export const checkoutSchema = v.object({ authorization_url: v.pipe(v.string(), v.url()) });

/** A webhook says what to read again; its other fields are never used. */
export const webhookSchema = v.object({
  event: v.pipe(v.string(), v.maxLength(100)),
  data: v.object({
    id: v.optional(v.unknown()),
    domain: v.nullish(v.string()),
    reference: v.optional(v.unknown()),
    transaction_reference: v.optional(v.unknown()),
    transaction: v.optional(v.unknown()),
    status: v.optional(v.unknown()),
    resolution: v.optional(v.unknown()),
  }),
});
