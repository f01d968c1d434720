import { and, eq, lt, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { PaymentDetails } from "./stripe/gateway.server.ts";
import { paymentReports } from "./tables.server.ts";

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
  details: PaymentDetails,
  fetchSequence: number,
): Promise<{ report: PaymentReport; previousRefundedCents: number }> {
  const previous = await lockReport(tx, details.paymentIntentId);
  const [updated] = await tx
    .update(paymentReports)
    .set({ ...details, fetchSequence, updatedAt: now() })
    .where(
      and(
        eq(paymentReports.paymentIntentId, details.paymentIntentId),
        lt(paymentReports.fetchSequence, fetchSequence),
      ),
    )
    .returning();
  return { report: updated ?? previous, previousRefundedCents: previous.refundedCents };
}

/** Returns the stored report of a payment, locked for the transaction; creates an empty one when missing. */
export async function lockReport(tx: Tx, paymentIntentId: string): Promise<PaymentReport> {
  await tx
    .insert(paymentReports)
    .values({ paymentIntentId, updatedAt: now() })
    .onConflictDoNothing();
  const [report] = await tx
    .select()
    .from(paymentReports)
    .where(eq(paymentReports.paymentIntentId, paymentIntentId))
    .for("update");
  if (!report) throw new Error("the payment report was not stored");
  return report;
}
