import { and, eq, isNull, lte, or } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { GatewayError, type RefundResult } from "../gateway.ts";
import { canRefund, getGateway } from "../gateways.server.ts";
import type { Purchase } from "../purchases.server.ts";
import type { purchaseRefunds, unspentCoinRefunds } from "../tables.server.ts";

/**
 * How long one process has a refund to itself: longer than its job may run, and long enough for a request whose answer
 * was lost to show in the provider's list of refunds.
 */
const RESERVED_MS = 10 * 60 * 1000;

type RefundTable = typeof purchaseRefunds | typeof unspentCoinRefunds;

/** A refund as it was stored before it was requested from the provider. */
type StoredRefund = {
  id: string;
  amountCents: number;
  /** What had gone back of the payment before. */
  returnedCentsBefore: number;
  reason: string;
};

/**
 * Requests a stored refund of a purchase from its provider, once. Returns the status of the refund, "failed" also when
 * the provider rejects it. Throws when the outcome is not known, and while another process sends the refund.
 */
export async function sendRefund(
  table: RefundTable,
  { provider, paymentId }: Pick<Purchase, "provider" | "paymentId">,
  { id, amountCents, returnedCentsBefore, reason }: StoredRefund,
): Promise<RefundResult["status"]> {
  const gateway = getGateway(provider);
  if (!canRefund(provider) || paymentId === null) return "failed";
  await reserve(table, id);
  try {
    // A provider forgets the key of a request after some time, in which its answer can have been lost.
    const payment = await gateway.readPayment(paymentId);
    const returnedCents = payment ? payment.refundedCents + payment.lostCents : 0;
    if (returnedCents >= returnedCentsBefore + amountCents) return "done";
    const { status } = await gateway.refund({ paymentId, amountCents, reason, idempotencyKey: id });
    return status;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.problem === "refused") return "failed";
    // Nothing was sent, so a retry need not wait.
    if (error.problem === "unavailable")
      await database().update(table).set({ sendingUntil: null }).where(eq(table.id, id));
    throw error;
  }
}

/** Reserves a requested refund for this process. Throws when another process has it. */
async function reserve(table: RefundTable, id: string): Promise<void> {
  const reserved = await database()
    .update(table)
    .set({ sendingUntil: new Date(now().getTime() + RESERVED_MS) })
    .where(
      and(
        eq(table.id, id),
        eq(table.status, "requested"),
        or(isNull(table.sendingUntil), lte(table.sendingUntil, now())),
      ),
    )
    .returning({ id: table.id });
  if (reserved.length === 0) throw new Error(`refund ${id} is being sent, or was sent`);
}
