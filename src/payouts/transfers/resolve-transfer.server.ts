import { and, eq, isNull, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { lockPayout } from "../lock-payouts.server.ts";
import { paymentExportLines, payouts, payoutTransfers } from "../tables.server.ts";

/** A transfer that has ended, while the provider reports another end and no admin has resolved it. As in check 43. */
const isContradicted = and(
  sql`${payoutTransfers.status} <> 'pending'`,
  sql`(${payoutTransfers.status} = 'paid') <> (coalesce(${payoutTransfers.providerStatus}, '') = 'success')`,
  isNull(payoutTransfers.resolvedAt),
);

/** Returns the transfers that contradict what the provider reports, oldest first. */
export async function listContradictedTransfers() {
  return await database()
    .select({
      reference: payoutTransfers.reference,
      creatorId: payouts.creatorId,
      amountCents: paymentExportLines.amountCents,
      status: payoutTransfers.status,
      providerStatus: payoutTransfers.providerStatus,
    })
    .from(payoutTransfers)
    .innerJoin(payouts, eq(payouts.id, payoutTransfers.payoutId))
    .innerJoin(
      paymentExportLines,
      and(
        eq(paymentExportLines.exportId, payoutTransfers.exportId),
        eq(paymentExportLines.payoutId, payoutTransfers.payoutId),
      ),
    )
    .where(isContradicted)
    .orderBy(payoutTransfers.createdAt);
}

export type ResolveTransferResult =
  | { ok: true }
  | {
      ok: false;
      refusal: "no-such-transfer" | "yourself" | "not-contradicted" | "reason-missing";
    };

/**
 * Records that the books are right about a transfer that contradicts what the provider reports: the money of one that
 * counts as failed is not with the creator, and that of one that counts as paid is. Payouts of the creator can be paid
 * again. Refuses the admin's own transfers. Idempotent.
 */
export async function resolveTransfer(
  actorId: string,
  reference: string,
  reason: string,
): Promise<ResolveTransferResult> {
  if (reason.trim() === "") return { ok: false, refusal: "reason-missing" };
  if (!isId(reference)) return { ok: false, refusal: "no-such-transfer" };
  return await transaction(async (tx): Promise<ResolveTransferResult> => {
    const isTransfer = eq(payoutTransfers.reference, reference);
    const [found] = await tx
      .select({ payoutId: payoutTransfers.payoutId })
      .from(payoutTransfers)
      .where(isTransfer);
    const locked = found && (await lockPayout(tx, found.payoutId));
    if (!locked) return { ok: false, refusal: "no-such-transfer" };
    if (locked.payout.creatorId === actorId) return { ok: false, refusal: "yourself" };
    const resolved = await tx
      .update(payoutTransfers)
      .set({ resolvedAt: now() })
      .where(and(isTransfer, isContradicted))
      .returning({ reference: payoutTransfers.reference });
    if (resolved.length === 0) {
      const [transfer] = await tx.select().from(payoutTransfers).where(isTransfer);
      return transfer?.resolvedAt ? { ok: true } : { ok: false, refusal: "not-contradicted" };
    }
    await writeAudit(tx, {
      actorId,
      action: "resolve-transfer",
      subject: found.payoutId,
      details: { reference, reason: reason.trim() },
    });
    return { ok: true };
  });
}
