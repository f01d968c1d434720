import { eq } from "drizzle-orm";
import { transaction } from "#platform/database.server.ts";
import type { PaymentFacts } from "./gateway.server.ts";
import { mergeReport } from "./payment-report.server.ts";
import { markEventHandled } from "./stored-event.server.ts";
import { coinPurchases } from "./tables.server.ts";
import { takeBack } from "./take-back.server.ts";

/**
 * Takes in what became of a payment: all that was ever refunded, and how its dispute stands. Told
 * before the purchase is known, it is kept for it. In any order and any number of times the end is the
 * same.
 */
export async function followPayment(
  facts: PaymentFacts,
  { askedAt, eventId }: { askedAt?: Date; eventId?: string } = {},
): Promise<"followed" | "kept"> {
  return await transaction(async (tx) => {
    const report = await mergeReport(tx, facts, askedAt);
    const [purchase] = await tx
      .select()
      .from(coinPurchases)
      .where(eq(coinPurchases.paymentIntentId, facts.paymentIntentId))
      .for("update");
    if (purchase) await takeBack(tx, purchase, report);
    const outcome = purchase ? "followed" : "kept";
    if (eventId) await markEventHandled(tx, eventId, outcome);
    return outcome;
  });
}
