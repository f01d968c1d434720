import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import type { PaymentFacts } from "./gateway.server.ts";
import { paymentReports } from "./tables.server.ts";

export type PaymentReport = typeof paymentReports.$inferSelect;

/**
 * Adds to what is known of a payment and locks that row for the transaction, so that a refund and the
 * purchase it belongs to wait for each other. Refunds only grow. A closed dispute stays closed, unless
 * the provider, asked at `askedAt`, says that there is another.
 */
export async function mergeReport(
  tx: Tx,
  facts: PaymentFacts,
  askedAt?: Date,
): Promise<PaymentReport> {
  const [report] = await tx
    .insert(paymentReports)
    .values({ ...facts, updatedAt: now() })
    .onConflictDoUpdate({
      target: paymentReports.paymentIntentId,
      set: {
        refundedCents: sql`greatest(payment_reports.refunded_cents, excluded.refunded_cents)`,
        disputeStatus: sql`case
          when excluded.dispute_status is null or payment_reports.dispute_status = 'lost'
            then payment_reports.dispute_status
          when payment_reports.dispute_status = 'won' and excluded.dispute_status = 'open'
            and coalesce(payment_reports.updated_at >= ${askedAt ?? null}::timestamptz, true)
            then payment_reports.dispute_status
          else excluded.dispute_status end`,
        updatedAt: now(),
      },
    })
    .returning();
  if (!report) throw new Error("a payment report was not kept");
  return report;
}
