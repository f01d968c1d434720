import { createHash } from "node:crypto";
import { and, desc, eq, ne } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, transaction as runTransaction, type Tx } from "#platform/database.server.ts";
import { parseCardNumber } from "../fake-provider/card-numbers.ts";
import type { PaymentResult } from "../fake-provider/fake-provider.ts";
import type { DisputeStatus } from "../gateway.ts";
import { emitEvent } from "./events.server.ts";
import {
  buildDispute,
  buildRefundEvent,
  buildTransaction,
  type FakeRefund,
  type FakeTransaction,
} from "./objects.server.ts";
import {
  fakePaystackDisputes,
  fakePaystackRefunds,
  fakePaystackTransactions,
} from "./tables.server.ts";
import { FAILING_REFUND, STUCK_REFUND, TEST_CARDS } from "./test-cards.ts";

/** The time to answer a dispute in South Africa. */
const ANSWER_MS = 48 * 60 * 60 * 1000;

/** Returns the transaction with a reference, or null. Locks it when given a database transaction. */
export async function findTransaction(reference: string, tx?: Tx): Promise<FakeTransaction | null> {
  const query = (tx ?? database())
    .select()
    .from(fakePaystackTransactions)
    .where(eq(fakePaystackTransactions.reference, reference));
  const [found] = tx ? await query.for("update") : await query;
  return found ?? null;
}

/** Returns the latest transactions, newest first. */
export async function listTransactions(): Promise<FakeTransaction[]> {
  return await database()
    .select()
    .from(fakePaystackTransactions)
    .orderBy(desc(fakePaystackTransactions.createdAt), desc(fakePaystackTransactions.id))
    .limit(50);
}

/** Returns the amount of the refunds of a transaction that have not failed. */
export async function sumRefunds(reference: string, tx?: Tx): Promise<number> {
  const refunds = await (tx ?? database())
    .select()
    .from(fakePaystackRefunds)
    .where(eq(fakePaystackRefunds.reference, reference));
  return refunds
    .filter(({ status }) => status !== "failed")
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Returns a signature that identifies a payment card without its number. */
export function createSignature(number: string): string {
  return `SIG_${createHash("sha256").update(`fake card ${number}`).digest("base64url").slice(0, 20)}`;
}

/** Returns the address to which the customer returns after payment, with what Paystack adds to it. */
export function buildReturnUrl({ callbackUrl, reference }: FakeTransaction): string {
  const url = new URL(callbackUrl);
  url.searchParams.set("trxref", reference);
  url.searchParams.set("reference", reference);
  return url.href;
}

const update = (tx: Tx, { reference }: FakeTransaction, values: Partial<FakeTransaction>) =>
  tx
    .update(fakePaystackTransactions)
    .set(values)
    .where(eq(fakePaystackTransactions.reference, reference));

/** Pays with a payment card. Idempotent; a declined card leaves the page open. */
export async function payByCard(reference: string, cardNumber: string): Promise<PaymentResult> {
  const digits = cardNumber.replace(/\D/g, "");
  const listed = TEST_CARDS.find((card) => card.number === digits);
  const number = listed?.number ?? parseCardNumber(cardNumber);
  return await complete(reference, async (tx, transaction) => {
    if (number === null) return { ok: false, refusal: "not-a-card" };
    if (listed?.declineReason) {
      await update(tx, transaction, { status: "failed", channel: "card" });
      return { ok: false, refusal: "declined", card: number };
    }
    await markPaid(tx, transaction, {
      channel: "card",
      cardLast4: number.slice(-4),
      cardSignature: createSignature(number),
    });
    return { ok: true, successUrl: buildReturnUrl(transaction) };
  });
}

async function markPaid(
  tx: Tx,
  transaction: FakeTransaction,
  values: Partial<FakeTransaction>,
): Promise<void> {
  const paid = { status: "success" as const, paidAt: now(), ...values };
  await update(tx, transaction, paid);
  await emitEvent(tx, transaction.reference, {
    type: "charge.success",
    data: buildTransaction({ ...transaction, ...paid }),
  });
}

/** Starts a payment by EFT, whose money arrives later. Only successful payments have events. */
export async function payByEft(reference: string): Promise<PaymentResult> {
  return await complete(reference, async (tx, transaction) => {
    if (transaction.isCardOnly) return { ok: false, refusal: "not-a-card" };
    await update(tx, transaction, { status: "pending", channel: "eft" });
    return { ok: true, successUrl: buildReturnUrl(transaction) };
  });
}

async function complete(
  reference: string,
  pay: (tx: Tx, transaction: FakeTransaction) => Promise<PaymentResult>,
): Promise<PaymentResult> {
  return await runTransaction(async (tx): Promise<PaymentResult> => {
    const transaction = await findTransaction(reference, tx);
    if (!transaction) return { ok: false, refusal: "no-such-session" };
    if (transaction.status === "success" || transaction.status === "pending")
      return { ok: true, successUrl: buildReturnUrl(transaction) };
    return await pay(tx, transaction);
  });
}

/** Resolves a pending EFT as paid or failed; leaves any other transaction unchanged. */
export async function resolveEft(reference: string, isPaid: boolean): Promise<void> {
  await runTransaction(async (tx) => {
    const transaction = await findTransaction(reference, tx);
    if (transaction?.status !== "pending") return;
    if (isPaid) await markPaid(tx, transaction, {});
    else await update(tx, transaction, { status: "failed" });
  });
}

type RefundValues = Pick<FakeRefund, "amountCents" | "merchantNote" | "disputeId">;

/** Refunds an amount of a payment; null above what remains. The payment's card decides what becomes of it. */
export async function createRefund(
  reference: string,
  values: Pick<RefundValues, "amountCents" | "merchantNote">,
): Promise<{ refund: FakeRefund; transaction: FakeTransaction } | null> {
  return await runTransaction(async (tx) => {
    const transaction = await findTransaction(reference, tx);
    if (transaction?.status !== "success") return null;
    const remainingCents = transaction.amountCents - (await sumRefunds(reference, tx));
    if (!(values.amountCents > 0 && values.amountCents <= remainingCents)) return null;
    const refund = await insertRefund(tx, transaction, { ...values, disputeId: null });
    for (const status of ["pending", refund.status])
      await emitEvent(tx, reference, {
        type: `refund.${status}`,
        data: buildRefundEvent(refund, transaction, status),
      });
    return { refund, transaction };
  });
}

async function insertRefund(
  tx: Tx,
  { reference, cardLast4 }: FakeTransaction,
  values: RefundValues,
): Promise<FakeRefund> {
  const status =
    cardLast4 === FAILING_REFUND.slice(-4)
      ? "failed"
      : cardLast4 === STUCK_REFUND.slice(-4)
        ? "needs-attention"
        : "processed";
  const [refund] = await tx
    .insert(fakePaystackRefunds)
    .values({ reference, status, ...values, createdAt: now() })
    .returning();
  if (!refund) throw new Error("the refund was not stored");
  return refund;
}

/** Fails refunds, the latest first, until at least this amount is back at the merchant. */
export async function failRefunds(reference: string, cents: number): Promise<void> {
  await runTransaction(async (tx) => {
    const transaction = await findTransaction(reference, tx);
    if (!transaction) return;
    const refunds = await tx
      .select()
      .from(fakePaystackRefunds)
      .where(
        and(eq(fakePaystackRefunds.reference, reference), ne(fakePaystackRefunds.status, "failed")),
      )
      .orderBy(desc(fakePaystackRefunds.createdAt), desc(fakePaystackRefunds.id));
    let failedCents = 0;
    for (const refund of refunds) {
      if (failedCents >= cents) return;
      failedCents += refund.amountCents;
      await tx
        .update(fakePaystackRefunds)
        .set({ status: "failed" })
        .where(eq(fakePaystackRefunds.id, refund.id));
      await emitEvent(tx, reference, {
        type: "refund.failed",
        data: buildRefundEvent(refund, transaction, "failed"),
      });
    }
  });
}

/** Disputes a payment or part of it, resolves the dispute, or opens it again. A lost one is refunded, as Paystack does. */
export async function disputePayment(
  reference: string,
  status: DisputeStatus,
  amountCents?: number,
): Promise<void> {
  await runTransaction(async (tx) => {
    const transaction = await findTransaction(reference, tx);
    if (transaction?.status !== "success") return;
    const isOfTransaction = eq(fakePaystackDisputes.reference, reference);
    const [existing] = await tx.select().from(fakePaystackDisputes).where(isOfTransaction);
    if (!existing && status !== "open") return;
    const state = {
      status: status === "open" ? ("awaiting-merchant-feedback" as const) : ("resolved" as const),
      resolution: ({ open: null, won: "declined", lost: "merchant-accepted" } as const)[status],
    };
    const [dispute] = existing
      ? await tx.update(fakePaystackDisputes).set(state).where(isOfTransaction).returning()
      : await tx
          .insert(fakePaystackDisputes)
          .values({
            reference,
            ...state,
            amountCents: Math.min(transaction.amountCents, amountCents ?? transaction.amountCents),
            dueAt: new Date(now().getTime() + ANSWER_MS),
            createdAt: now(),
          })
          .returning();
    if (!dispute) return;
    await tx
      .update(fakePaystackRefunds)
      .set({ status: "failed" })
      .where(eq(fakePaystackRefunds.disputeId, dispute.id));
    if (status === "lost")
      await tx.insert(fakePaystackRefunds).values({
        reference,
        amountCents: dispute.amountCents,
        status: "processed",
        disputeId: dispute.id,
        createdAt: now(),
      });
    await emitEvent(tx, reference, {
      type: status === "open" ? "charge.dispute.create" : "charge.dispute.resolve",
      data: buildDispute(dispute, transaction),
    });
  });
}
