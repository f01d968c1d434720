import { and, eq, lt, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { PaymentDetails, ProviderName } from "./gateway.ts";
import { paymentReports } from "./tables.server.ts";

/** The part of a payment's state that is stored until its purchase exists, and applied to it. */
type ReportedPayment = Omit<PaymentDetails, "disputes" | "stuckRefundIds">;

export type PaymentReport = typeof paymentReports.$inferSelect;

/** Returns the sequence number of a fetch from the provider; higher than that of every fetch that started before. */
export async function nextFetchSequence(): Promise<number> {
  const { rows } = await database().execute<{ number: number }>(
    sql`select nextval('payment_reads') as number`,
  );
  return rows[0]?.number ?? 0;
}

/**
 * Stores the result of a read unless a later read is stored already, and locks the row for the
 * transaction, so that a refund and its purchase wait for each other. Returns the stored report, and the
 * refunded total that was stored before.
 */
export async function mergePaymentReport(
  tx: Tx,
  details: ReportedPayment,
  fetchSequence: number,
): Promise<{ report: PaymentReport; previousRefundedCents: number }> {
  const previous = await lockReport(tx, details);
  const [updated] = await tx
    .update(paymentReports)
    .set({
      chargedCents: details.chargedCents,
      currency: details.currency,
      refundedCents: details.refundedCents,
      lostCents: details.lostCents,
      disputeStatus: details.disputeStatus,
      fetchSequence,
      updatedAt: now(),
    })
    .where(and(isReportOf(details), lt(paymentReports.fetchSequence, fetchSequence)))
    .returning();
  return { report: updated ?? previous, previousRefundedCents: previous.refundedCents };
}

/** Identifies a payment across providers. */
export type PaymentKey = { provider: ProviderName; paymentId: string };

const isReportOf = ({ provider, paymentId }: PaymentKey) =>
  and(eq(paymentReports.paymentId, paymentId), eq(paymentReports.provider, provider));

/** Returns the stored report of a payment, locked for the transaction; creates an empty one when missing. */
export async function lockReport(tx: Tx, payment: PaymentKey): Promise<PaymentReport> {
  const { provider, paymentId } = payment;
  await tx
    .insert(paymentReports)
    .values({ provider, paymentId, updatedAt: now() })
    .onConflictDoNothing();
  const [report] = await tx.select().from(paymentReports).where(isReportOf(payment)).for("update");
  if (!report) throw new Error("the payment report was not stored");
  return report;
}
