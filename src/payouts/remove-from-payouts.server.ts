import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { findMinPayoutCents, MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { adjustEarnings, earnings, listSalesToAdjust } from "#sales/sales.server.ts";
import { type LockedPayout, lockBankDetails, lockPayouts } from "./lock-payouts.server.ts";
import { type PayoutChange, renderPayoutChangedEmail } from "./payout-changed.email.tsx";
import { lateHolds, payouts } from "./tables.server.ts";

/** The reason for earnings that the results of their tips or the payments of their buyer change. They are not held. */
export const CHANGED_REASON = "changed";

type EarningInPayout = { saleId: number; payoutId: string; amountCents: number };

/**
 * Removes the earnings of these sales from open payouts, so that they can be held or adjusted to void tips and lacking
 * coins. A payout with R100 or more left continues, and a final one with anything left; otherwise it is stopped and its
 * other earnings become payable again. An exported payout stays unchanged: a hold is recorded and applied if the export
 * is withdrawn, and void tips are looked for then. Adjusts earnings that leave a payout to the void tips of their sales. Alerts the operator, and emails the
 * creator about a changed payout.
 *
 * Must be called before any of these earnings is locked.
 */
export async function removeFromPayouts(
  tx: Tx,
  { saleIds, reason }: { saleIds: number[]; reason: string },
): Promise<void> {
  if (saleIds.length === 0) return;
  const creators = await tx
    .selectDistinct({ creatorId: earnings.creatorId })
    .from(earnings)
    .where(inArray(earnings.saleId, saleIds));
  // While these rows are locked, no other transaction can create or change a payout of these creators.
  await lockBankDetails(
    tx,
    creators.map((row) => row.creatorId),
  );
  const earningsInPayouts = await readEarningsInPayouts(tx, saleIds);
  const locked = await lockPayouts(tx, [
    ...new Set(earningsInPayouts.map((earning) => earning.payoutId)),
  ]);
  for (const payout of locked.payouts) {
    const removedEarnings = earningsInPayouts.filter((earning) => earning.payoutId === payout.id);
    if (payout.status !== "requested" && payout.status !== "processing") continue;
    if (!payout.exportId) await removeEarnings(tx, payout, removedEarnings, reason);
    else if (reason !== CHANGED_REASON) await recordLateHolds(tx, payout, removedEarnings, reason);
  }
}

/**
 * Removes the earnings that do not follow their results and lacking coins from these payouts, which must be locked and in no
 * payment file. Returns the payouts from which earnings were removed.
 */
export async function removeChangedEarnings(
  tx: Tx,
  locked: readonly LockedPayout[],
): Promise<LockedPayout[]> {
  const saleIds = await listSalesToAdjust(tx, {
    creatorIds: locked.map((payout) => payout.creatorId),
    payoutIds: locked.map((payout) => payout.id),
  });
  const affected = new Set(
    (await readEarningsInPayouts(tx, saleIds)).map((earning) => earning.payoutId),
  );
  await removeFromPayouts(tx, { saleIds, reason: CHANGED_REASON });
  return locked.filter((payout) => affected.has(payout.id));
}

async function readEarningsInPayouts(tx: Tx, saleIds: number[]): Promise<EarningInPayout[]> {
  const rows = await tx
    .select({
      saleId: earnings.saleId,
      payoutId: earnings.payoutId,
      amountCents: earnings.amountCents,
    })
    .from(earnings)
    .where(inArray(earnings.saleId, saleIds));
  return rows.flatMap(({ payoutId, ...row }) => (payoutId ? [{ ...row, payoutId }] : []));
}

async function removeEarnings(
  tx: Tx,
  payout: LockedPayout,
  removedEarnings: EarningInPayout[],
  reason: string,
): Promise<void> {
  const removedCents = removedEarnings.reduce((sum, earning) => sum + earning.amountCents, 0);
  const amountCents = payout.amountCents - removedCents;
  const isStopped = amountCents < findMinPayoutCents(payout.isFinal);
  const at = now();
  const released = await tx
    .update(earnings)
    .set({ payoutId: null })
    .where(
      isStopped
        ? eq(earnings.payoutId, payout.id)
        : and(
            eq(earnings.payoutId, payout.id),
            inArray(
              earnings.saleId,
              removedEarnings.map((earning) => earning.saleId),
            ),
          ),
    )
    .returning({ saleId: earnings.saleId });
  await tx
    .update(payouts)
    .set({
      removedCents: payout.removedCents + removedCents,
      changedAt: at,
      ...(isStopped ? { status: "stopped", stoppedAt: at } : { amountCents }),
    })
    .where(eq(payouts.id, payout.id));
  await adjustEarnings(
    tx,
    released.map((earning) => earning.saleId),
  );
  const centsBySale = await readUnreversedCents(
    tx,
    released.map((earning) => earning.saleId),
  );
  const isChanged = reason === CHANGED_REASON;
  const remainderCents = removedEarnings.reduce(
    (sum, { saleId }) => sum + (centsBySale.get(saleId) ?? 0),
    0,
  );
  const heldCents = isChanged ? 0 : remainderCents;
  const payableCents =
    [...centsBySale.values()].reduce((sum, cents) => sum + cents, 0) - remainderCents;
  await writeAudit(tx, {
    actorId: null,
    action: isStopped ? "stop-payout" : "reduce-payout",
    subject: payout.id,
    details: {
      removedCents,
      heldCents,
      reason,
      saleIds: removedEarnings.map((earning) => earning.saleId),
    },
  });
  const heldText = isChanged
    ? "The results of its races or the payments for it have changed."
    : `${formatCents(heldCents)} of it is held (${reason}).`;
  await raiseAlert(
    {
      kind: isStopped ? "payout-stopped" : "payout-reduced",
      subject: payout.id,
      message: isStopped
        ? `Payout ${payout.id} was stopped: ${formatCents(removedCents)} was taken out, and ${payout.isFinal ? "nothing is left" : `the rest is below ${formatCents(MIN_PAYOUT_CENTS)}`}. Do not pay it. ${heldText}`
        : `${formatCents(removedCents)} was taken out of payout ${payout.id}. ${heldText} ${formatCents(amountCents)} is left to pay.`,
    },
    tx,
  );
  await enqueueChangedEmail(tx, payout, {
    removedCents,
    heldCents,
    isChanged,
    ...(isStopped
      ? { isStopped, isFinal: payout.isFinal, payableCents }
      : { isStopped, remainingCents: amountCents }),
  });
}

/** Returns the amounts of earnings that are not reversed, by sale. */
async function readUnreversedCents(
  tx: Tx,
  saleIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await tx.execute<{ sale_id: number; amount_cents: number }>(sql`
    select e.sale_id, e.amount_cents from earnings e
    where e.sale_id in (select unnest(${sql.param(saleIds)}::bigint[]))
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`);
  return new Map(rows.map((row) => [row.sale_id, row.amount_cents]));
}

async function recordLateHolds(
  tx: Tx,
  payout: LockedPayout,
  lateEarnings: EarningInPayout[],
  reason: string,
): Promise<void> {
  const recordedHolds = await tx
    .insert(lateHolds)
    .values(
      lateEarnings.map(({ saleId, payoutId }) => ({ saleId, payoutId, reason, createdAt: now() })),
    )
    // Reopens the hold for a second dispute of the same sale.
    .onConflictDoUpdate({
      target: lateHolds.saleId,
      set: { endedAt: sql`null` },
      setWhere: isNotNull(lateHolds.endedAt),
    })
    .returning();
  // The hold is requested repeatedly during a dispute, but alerted once.
  if (recordedHolds.length === 0) return;
  const lateCents = lateEarnings.reduce((sum, earning) => sum + earning.amountCents, 0);
  await raiseAlert(
    {
      kind: "exported-payout-disputed",
      subject: payout.id,
      message: `Payout ${payout.id} is in a payment file or a transfer and contains ${formatCents(lateCents)} that should be held (${reason}). If the bank has not paid the file yet, stop it there and withdraw the payout. A transfer can't be stopped after it was sent.`,
    },
    tx,
  );
}

async function enqueueChangedEmail(
  tx: Tx,
  { creatorId }: LockedPayout,
  change: PayoutChange,
): Promise<void> {
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (!user) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: "payout-changed",
    ...(await renderPayoutChangedEmail({ name: user.name, ...change })),
  });
}
