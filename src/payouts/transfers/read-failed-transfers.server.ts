import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { payoutTransfers } from "../tables.server.ts";
import { syncTransfer } from "./send-transfer.server.ts";

/**
 * Reads the transfers of these payouts that were sent and count as failed once more from the provider, and applies what
 * it reports: one can have succeeded, or be in progress, since. Must be called before the payouts are paid in any other
 * way. Returns false when one cannot be read.
 */
export async function readFailedTransfersAgain(payoutIds: readonly string[]): Promise<boolean> {
  const rows = await database()
    .select({ reference: payoutTransfers.reference })
    .from(payoutTransfers)
    .where(
      and(
        inArray(payoutTransfers.payoutId, payoutIds.filter(isId)),
        eq(payoutTransfers.status, "failed"),
        isNotNull(payoutTransfers.sentAt),
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
