import { and, eq, inArray, sql } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { creators } from "#creators/creators.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { findMinPayoutCents } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { earnings, listSalesToAdjust } from "#sales/sales.server.ts";
import { areBankDetailsUsable } from "./bank-details.input.ts";
import { decryptBankDetails } from "./encrypt-bank-details.server.ts";
import { holdGuestDeals } from "./hold-guest-deals.server.ts";
import { lockBankDetails } from "./lock-payouts.server.ts";
import { renderPayoutRequestedEmail } from "./payout-requested.email.tsx";
import { calculateBlockedUntil } from "./read-bank-details.server.ts";
import { payouts } from "./tables.server.ts";

export type CreatePayoutResult =
  | { ok: true; payoutId: string; amountCents: number }
  | {
      ok: false;
      refusal: "payout-open" | "nothing-payable" | "no-bank-details" | "bank-details-unusable";
    }
  | { ok: false; refusal: "below-minimum"; payableCents: number; missingCents: number }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * Creates one payout of all earnings of a creator that are payable at an instant, or returns the refusal.
 * A creator has at most one open payout, even with concurrent requests. Earnings that need a review first are held.
 * A suspended creator is paid any amount.
 */
export async function createPayout(
  tx: Tx,
  {
    creatorId,
    payableBy,
    payDay,
  }: { creatorId: string; payableBy: Date; payDay: CalendarDate | null },
): Promise<CreatePayoutResult> {
  // A popular creator can have 100,000 unpaid earnings.
  await tx.execute(sql`set local statement_timeout = '120s'`);
  // Serialises requests of one creator, so that the second sees the payout of the first.
  const details = (await lockBankDetails(tx, [creatorId])).get(creatorId);
  const [openPayout] = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(eq(payouts.creatorId, creatorId), inArray(payouts.status, ["requested", "processing"])),
    );
  if (openPayout) return { ok: false, refusal: "payout-open" };

  // Serialises the payout with a suspension and its end.
  const [creator] = await tx
    .select({ suspendedAt: creators.suspendedAt })
    .from(creators)
    .where(eq(creators.userId, creatorId))
    .for("share");
  const isFinal = creator !== undefined && creator.suspendedAt !== null;
  const minCents = findMinPayoutCents(isFinal);
  await holdGuestDeals(tx, creatorId);
  const { saleIds, amountCents } = await lockPayableEarnings(tx, creatorId, payableBy);
  if (isFinal && amountCents === 0) return { ok: false, refusal: "nothing-payable" };
  if (amountCents < minCents)
    return {
      ok: false,
      refusal: "below-minimum",
      payableCents: amountCents,
      missingCents: minCents - amountCents,
    };
  if (!details) return { ok: false, refusal: "no-bank-details" };
  const until = calculateBlockedUntil(details.changedAt);
  if (until) return { ok: false, refusal: "bank-details-new", until };
  if (!areBankDetailsUsable(decryptBankDetails(creatorId, details.encryptedDetails)))
    return { ok: false, refusal: "bank-details-unusable" };

  const requestedAt = now();
  const [payout] = await tx
    .insert(payouts)
    .values({ creatorId, amountCents, requestedAt, isFinal })
    .returning({ id: payouts.id });
  if (!payout) throw new Error("the payout was not stored");
  await tx
    .update(earnings)
    .set({ payoutId: payout.id })
    .where(sql`${earnings.saleId} in (select unnest(${sql.param(saleIds)}::bigint[]))`);
  const { accountLast4 } = details;
  await enqueueRequestedEmail(tx, {
    creatorId,
    amountCents,
    requestedAt,
    payDay,
    isFinal,
    accountLast4,
  });
  return { ok: true, payoutId: payout.id, amountCents };
}

/**
 * Locks and returns the payable earnings. Skips earnings locked by another transaction, which is reversing or
 * holding them; the next payout includes them. The second query excludes earnings that were reversed before the
 * lock. Also skips earnings that a changed result is about to reduce or restore.
 */
async function lockPayableEarnings(tx: Tx, creatorId: string, payableBy: Date) {
  const locked = await tx.execute<{ sale_id: number }>(sql`
    select e.sale_id from earnings e
    where e.creator_id = ${creatorId} and e.payout_id is null and e.held_at is null
      and e.payable_at <= ${payableBy}
    for update skip locked`);
  const { rows } = await tx.execute<{ sale_id: number; amount_cents: number }>(sql`
    select e.sale_id, e.amount_cents from earnings e
    where e.sale_id in (select unnest(${sql.param(locked.rows.map((row) => row.sale_id))}::bigint[]))
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`);
  const salesToAdjust = new Set(await listSalesToAdjust(tx, { creatorIds: [creatorId] }));
  const payable = rows.filter((row) => !salesToAdjust.has(Number(row.sale_id)));
  return {
    saleIds: payable.map((row) => row.sale_id),
    amountCents: payable.reduce((sum, row) => sum + row.amount_cents, 0),
  };
}

async function enqueueRequestedEmail(
  tx: Tx,
  payout: {
    creatorId: string;
    amountCents: number;
    requestedAt: Date;
    accountLast4: string;
    payDay: CalendarDate | null;
    isFinal: boolean;
  },
): Promise<void> {
  const user = (await readUsers([payout.creatorId], tx)).get(payout.creatorId);
  if (!user) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: "payout-requested",
    ...(await renderPayoutRequestedEmail({ name: user.name, ...payout })),
  });
}

/** Requests a payout of all earnings that are payable now. */
export async function requestPayout(creatorId: string): Promise<CreatePayoutResult> {
  return await transaction((tx) => createPayout(tx, { creatorId, payableBy: now(), payDay: null }));
}
