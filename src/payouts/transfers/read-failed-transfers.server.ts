import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { payouts, payoutTransfers } from "../tables.server.ts";
import { syncTransfer } from "./send-transfer.server.ts";

/**
 * Reads the transfers to the creators of these payouts that were sent and count as failed once more from the provider, and
 * applies what it reports: one can have succeeded, or be in progress, since. Must be called before the payouts are paid in
 * any other way. A creator's other payouts count too: what was removed from them can be in these. Returns false when a
 * transfer cannot be read.
 */
export async function readFailedTransfersAgain(payoutIds: readonly string[]): Promise<boolean> {
  const creators = database()
    .select({ id: payouts.creatorId })
    .from(payouts)
    .where(inArray(payouts.id, payoutIds.filter(isId)));
  const rows = await database()
    .select({ reference: payoutTransfers.reference })
    .from(payoutTransfers)
    .innerJoin(payouts, eq(payouts.id, payoutTransfers.payoutId))
    .where(
      and(
        inArray(payouts.creatorId, creators),
        eq(payoutTransfers.status, "failed"),
        isNotNull(payoutTransfers.sentAt),
        isNull(payoutTransfers.resolvedAt),
      ),
    );
  try {
    for (const { reference } of rows) await syncTransfer(reference);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return false;
  }
}
