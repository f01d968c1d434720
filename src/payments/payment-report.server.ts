import { eq, lt, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { PaymentDetails } from "./stripe/gateway.server.ts";
import { paymentReports } from "./tables.server.ts";

export type PaymentReport = typeof paymentReports.$inferSelect;

/** The number of a read of the provider; each is higher than those of the reads begun before it. */
export async function nextReadNumber(): Promise<number> {
  const { rows } = await database().execute<{ number: number }>(
    sql`select nextval('payment_reads') as number`,
  );
  return rows[0]?.number ?? 0;
}

/**
 * Stores what the provider answered to a read, unless a later read is stored already, and locks that
 * row for the transaction, so that a refund and the purchase it belongs to wait for each other.
 */
export async function mergePaymentReport(
  tx: Tx,
  facts: PaymentDetails,
  readNumber: number,
): Promise<PaymentReport> {
  const values = { ...facts, readNumber, updatedAt: now() };
  await tx
    .insert(paymentReports)
    .values(values)
    .onConflictDoUpdate({
      target: paymentReports.paymentIntentId,
      set: values,
      setWhere: lt(paymentReports.readNumber, readNumber),
    });
  return await lockReport(tx, facts.paymentIntentId);
}

/** What is known of a payment, locked for the transaction; nothing yet is a row too. */
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
  if (!report) throw new Error("a payment report was not kept");
  return report;
}
