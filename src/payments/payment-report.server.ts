import { eq, lt, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import type { PaymentDetails } from "./stripe/gateway.server.ts";
import { paymentReports } from "./tables.server.ts";

export type PaymentReport = typeof paymentReports.$inferSelect;

/** Returns the number for a read of the provider; higher than that of every read that started before. */
export async function nextReadNumber(): Promise<number> {
  const { rows } = await database().execute<{ number: number }>(
    sql`select nextval('payment_reads') as number`,
  );
  return rows[0]?.number ?? 0;
}

/**
 * Stores the result of a read unless a later read is stored already, and locks the row for the
 * transaction, so that a refund and its purchase wait for each other.
 */
export async function mergePaymentReport(
  tx: Tx,
  details: PaymentDetails,
  readNumber: number,
): Promise<PaymentReport> {
  const values = { ...details, readNumber, updatedAt: now() };
  await tx
    .insert(paymentReports)
    .values(values)
    .onConflictDoUpdate({
      target: paymentReports.paymentIntentId,
      set: values,
      setWhere: lt(paymentReports.readNumber, readNumber),
    });
  return await lockReport(tx, details.paymentIntentId);
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
