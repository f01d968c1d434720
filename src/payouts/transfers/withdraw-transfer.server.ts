import { and, eq, isNull, lte, or } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { payoutTransfers } from "../tables.server.ts";
import { readTransfer } from "./paystack.server.ts";

type UnknownTransfer = Pick<
  typeof payoutTransfers.$inferSelect,
  "reference" | "sentAt" | "providerStatus"
>;

/**
 * Returns the transfer of a payout that is in progress and that an admin can end: it was not sent, what was sent did not
 * arrive, or the provider reports that it has paid another amount. Returns null when there is none, and while the provider cannot be asked.
 */
export async function findUnknownTransfer(payoutId: string): Promise<UnknownTransfer | null> {
  const [transfer] = await database()
    .select()
    .from(payoutTransfers)
    .where(and(eq(payoutTransfers.payoutId, payoutId), eq(payoutTransfers.status, "pending")));
  if (!transfer) return null;
  // One that was paid as it was released is not in progress.
  if (transfer.sentAt === null || transfer.providerStatus === "success") return transfer;
  try {
    return (await readTransfer(transfer.reference)) === null ? transfer : null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return null;
  }
}

/**
 * Ends the transfer of an export that is withdrawn. Returns whether the export may be withdrawn: it has no transfer, or
 * one that was found unknown, was not sent since, and that no process is sending. It is not sent afterwards.
 */
export async function endTransfer(
  tx: Tx,
  exportId: string,
  payoutId: string,
  unknown: UnknownTransfer | null,
): Promise<boolean> {
  const isOfPayout = and(
    eq(payoutTransfers.exportId, exportId),
    eq(payoutTransfers.payoutId, payoutId),
  );
  if ((await tx.$count(payoutTransfers, isOfPayout)) === 0) return true;
  if (!unknown) return false;
  const ended = await tx
    .update(payoutTransfers)
    .set({
      status: "failed",
      changedAt: now(),
      resolvedAt: unknown.providerStatus === "success" ? now() : null,
    })
    .where(
      and(
        isOfPayout,
        eq(payoutTransfers.reference, unknown.reference),
        eq(payoutTransfers.status, "pending"),
        unknown.sentAt === null
          ? isNull(payoutTransfers.sentAt)
          : eq(payoutTransfers.sentAt, unknown.sentAt),
        or(isNull(payoutTransfers.sendingUntil), lte(payoutTransfers.sendingUntil, now())),
      ),
    )
    .returning({ reference: payoutTransfers.reference });
  return ended.length > 0;
}
