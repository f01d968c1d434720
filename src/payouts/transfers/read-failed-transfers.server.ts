import { and, eq, gt, inArray, isNotNull, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { payouts, payoutTransfers } from "../tables.server.ts";
import { syncTransfer } from "./send-transfer.server.ts";

/** How long a transfer that failed may still turn out otherwise. */
const DOUBT_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Reads the transfers to the creators of these payouts that were sent in the last 90 days and count as failed once more
 * from the provider, and applies what it reports: one can have succeeded, or be in progress, since. Must be called before
 * the payouts are paid in any other way. A creator's other payouts count too: what was removed from them can be in these.
 * Returns the creators with a transfer that cannot be read, who must not be paid now.
 */
export async function readFailedTransfersAgain(payoutIds: readonly string[]): Promise<string[]> {
  const creators = database()
    .select({ id: payouts.creatorId })
    .from(payouts)
    .where(inArray(payouts.id, payoutIds.filter(isId)));
  const transfers = await database()
    .select({ reference: payoutTransfers.reference, creatorId: payouts.creatorId })
    .from(payoutTransfers)
    .innerJoin(payouts, eq(payouts.id, payoutTransfers.payoutId))
    .where(
      and(
        inArray(payouts.creatorId, creators),
        eq(payoutTransfers.status, "failed"),
        isNotNull(payoutTransfers.sentAt),
        isNull(payoutTransfers.resolvedAt),
        gt(payoutTransfers.createdAt, new Date(now().getTime() - DOUBT_MS)),
      ),
    );
  const unreadable = new Set<string>();
  for (const { reference, creatorId } of transfers)
    try {
      await syncTransfer(reference);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      unreadable.add(creatorId);
    }
  return [...unreadable];
}
