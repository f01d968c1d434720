import type {
  fakePaystackDisputes,
  fakePaystackRefunds,
  fakePaystackTransactions,
} from "./tables.server.ts";

export type FakeTransaction = typeof fakePaystackTransactions.$inferSelect;
export type FakeRefund = typeof fakePaystackRefunds.$inferSelect;
export type FakeDispute = typeof fakePaystackDisputes.$inferSelect;

type PaystackObject = Record<string, unknown>;

// Objects in the format of Paystack's API, with the fields that the application reads.

/** Serialises an object. Ids are numbers of more than 53 bits, as Paystack's can be. */
export function toJson(value: unknown): string {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
  return JSON.stringify(value, (_key, item) =>
    typeof item === "bigint" ? rawJSON(String(item)) : item,
  );
}

export function buildTransaction(transaction: FakeTransaction): PaystackObject {
  return {
    id: BigInt(transaction.id),
    domain: "test",
    status: transaction.status,
    reference: transaction.reference,
    amount: transaction.amountCents,
    requested_amount: transaction.amountCents,
    currency: transaction.currency,
    channel: transaction.channel ?? "card",
    paid_at: transaction.paidAt?.toISOString() ?? null,
    created_at: transaction.createdAt.toISOString(),
    metadata: transaction.channel === "eft" ? 0 : "",
    customer: { email: transaction.customerEmail },
    authorization: transaction.cardLast4
      ? {
          channel: "card",
          brand: "visa",
          last4: transaction.cardLast4,
          signature: transaction.cardSignature,
          country_code: "ZA",
          reusable: true,
          account_name: null,
        }
      : {},
  };
}

/** A refund in a list; the answer to a new one has the whole transaction. */
export function buildRefund(refund: FakeRefund, transaction: FakeTransaction): PaystackObject {
  return {
    id: BigInt(refund.id),
    domain: "test",
    status: refund.status,
    amount: refund.amountCents,
    currency: transaction.currency,
    transaction: BigInt(transaction.id),
    transaction_reference: transaction.reference,
    merchant_note: refund.merchantNote,
    dispute: refund.disputeId === null ? null : BigInt(refund.disputeId),
    createdAt: refund.createdAt.toISOString(),
  };
}

export function buildDispute(dispute: FakeDispute, transaction: FakeTransaction): PaystackObject {
  return {
    id: BigInt(dispute.id),
    domain: "test",
    refund_amount: dispute.amountCents,
    currency: transaction.currency,
    status: dispute.status,
    resolution: dispute.resolution,
    category: "chargeback",
    dueAt: dispute.dueAt.toISOString(),
    createdAt: dispute.createdAt.toISOString(),
    transaction: buildTransaction(transaction),
  };
}

/** The part of a refund's webhook that identifies it: it has no id, and its amount is a text. */
export function buildRefundEvent(
  refund: FakeRefund,
  transaction: FakeTransaction,
  status: string,
): PaystackObject {
  return {
    status,
    transaction_reference: transaction.reference,
    refund_reference: status === "processed" ? refund.id : null,
    amount: String(refund.amountCents),
    currency: transaction.currency,
    domain: "test",
  };
}
