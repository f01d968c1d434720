import { and, eq, inArray, sql } from "drizzle-orm";
import { MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { earnings } from "#sales/sales.server.ts";
import { areUsable } from "./bank-details.input.ts";
import { decryptBankDetails } from "./encrypt-bank-details.server.ts";
import { lockBankDetails } from "./lock-payouts.server.ts";
import { payoutRequestedMail } from "./payout-requested.email.tsx";
import { waitsUntil } from "./read-bank-details.server.ts";
import { payouts } from "./tables.server.ts";

export type MakePayoutAnswer =
  | { ok: true; payoutId: string; amountCents: number }
  | { ok: false; refusal: "payout-open" | "no-bank-details" | "bank-details-unusable" }
  | { ok: false; refusal: "below-minimum"; payableCents: number; missingCents: number }
  | { ok: false; refusal: "bank-details-new"; until: Date };

/**
 * Makes one payout of everything that a creator could be paid at an instant, or says what stands
 * against it. There is one open payout of a creator at most, however many ask at once.
 */
export async function makePayout(
  tx: Tx,
  { creatorId, payableBy, isRun }: { creatorId: string; payableBy: Date; isRun: boolean },
): Promise<MakePayoutAnswer> {
  // A popular creator can have 100,000 unpaid earnings.
  await tx.execute(sql`set local statement_timeout = '120s'`);
  // Two requests of one creator queue up here, and the second sees what the first has made.
  const details = (await lockBankDetails(tx, [creatorId])).get(creatorId);
  const [open] = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(eq(payouts.creatorId, creatorId), inArray(payouts.status, ["requested", "processing"])),
    );
  if (open) return { ok: false, refusal: "payout-open" };

  const { saleIds, amountCents } = await holdPayable(tx, creatorId, payableBy);
  if (amountCents < MIN_PAYOUT_CENTS)
    return {
      ok: false,
      refusal: "below-minimum",
      payableCents: amountCents,
      missingCents: MIN_PAYOUT_CENTS - amountCents,
    };
  if (!details) return { ok: false, refusal: "no-bank-details" };
  const until = waitsUntil(details.changedAt);
  if (until) return { ok: false, refusal: "bank-details-new", until };
  if (!areUsable(decryptBankDetails(creatorId, details.encryptedDetails)))
    return { ok: false, refusal: "bank-details-unusable" };

  const requestedAt = now();
  const [payout] = await tx
    .insert(payouts)
    .values({ creatorId, amountCents, requestedAt })
    .returning({ id: payouts.id });
  if (!payout) throw new Error("a payout was not written");
  await tx
    .update(earnings)
    .set({ payoutId: payout.id })
    .where(sql`${earnings.saleId} in (select unnest(${sql.param(saleIds)}::bigint[]))`);
  const { accountEnding } = details;
  await tellRequested(tx, { creatorId, amountCents, requestedAt, isRun, accountEnding });
  return { ok: true, payoutId: payout.id, amountCents };
}

/**
 * Keeps the payable earnings for this transaction. Who reverses or holds one keeps its row too: what is
 * kept by another is left for the next payout, and what was reversed before we had it is seen after.
 */
async function holdPayable(tx: Tx, creatorId: string, payableBy: Date) {
  const kept = await tx.execute<{ sale_id: number }>(sql`
    select e.sale_id from earnings e
    where e.creator_id = ${creatorId} and e.payout_id is null and e.held_at is null
      and e.payable_at <= ${payableBy}
    for update skip locked`);
  const { rows } = await tx.execute<{ sale_id: number; amount_cents: number }>(sql`
    select e.sale_id, e.amount_cents from earnings e
    where e.sale_id in (select unnest(${sql.param(kept.rows.map((row) => row.sale_id))}::bigint[]))
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`);
  return {
    saleIds: rows.map((row) => row.sale_id),
    amountCents: rows.reduce((sum, row) => sum + row.amount_cents, 0),
  };
}

async function tellRequested(
  tx: Tx,
  payout: {
    creatorId: string;
    amountCents: number;
    requestedAt: Date;
    accountEnding: string;
    isRun: boolean;
  },
): Promise<void> {
  const user = (await readUsers([payout.creatorId], tx)).get(payout.creatorId);
  if (!user) return;
  await enqueueMail(tx, {
    to: user.email,
    userId: user.id,
    kind: "payout-requested",
    ...(await payoutRequestedMail({ name: user.name, ...payout })),
  });
}

/** Asks for everything a creator can be paid now, or answers what stands against it. */
export async function requestPayout(creatorId: string): Promise<MakePayoutAnswer> {
  return await transaction((tx) => makePayout(tx, { creatorId, payableBy: now(), isRun: false }));
}
