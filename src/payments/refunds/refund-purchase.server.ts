import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import { formatRand } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, dryRun, type Tx, transaction } from "#platform/database.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { lockWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import {
  applyRefundOrDispute,
  enqueueRefundFailedEmail,
} from "../apply-refund-or-dispute.server.ts";
import { canRefund } from "../gateways.server.ts";
import { lockReport } from "../payment-report.server.ts";
import { type Purchase, REMAINING_CENTS } from "../purchases.server.ts";
import { syncLostCoins } from "../sync-lost-coins.server.ts";
import { syncPayment } from "../sync-payment.server.ts";
import { coinPurchases, purchaseRefunds, unspentCoinRefunds } from "../tables.server.ts";
import { sendRefund } from "./send-refund.server.ts";

type PaidPurchase = Purchase & { paymentId: string };

export type RefundTerms = {
  purchaseId: string;
  amountCents: number;
  /** Whether the house bears coins that are spent already, or the buyer and the earnings of the sales. */
  isBorneByHouse: boolean;
};

export type RefundRefusal =
  | "no-such-purchase"
  | "yourself"
  | "not-refundable"
  | "disputed"
  | "in-progress"
  | "above-remaining"
  | "remaining-changed"
  | "other-terms";

type Refused = { ok: false; refusal: RefundRefusal; remainingCents: number };

/**
 * Requests a refund of a purchase, which a job sends to the provider. The coins are taken once the provider has
 * accepted it. A repeated request with the same id is the same refund, and is refused with other terms. While one is in
 * progress there is no other one. Refuses when another amount is left of the payment than the admin was shown: the rest
 * can have gone back already.
 */
export async function requestRefund(
  adminId: string,
  {
    id,
    reason,
    shownRemainingCents,
    ...terms
  }: RefundTerms & { id: string; reason: string; shownRemainingCents: number },
): Promise<{ ok: true; isNew: boolean } | Refused> {
  return await transaction(async (tx) => {
    const refund = { id, reason, requestedBy: adminId, ...terms };
    const result = await insertRefund(tx, refund, shownRemainingCents);
    if (!result.ok || !result.isNew) return result;
    await writeAudit(tx, {
      actorId: adminId,
      action: "refund-purchase",
      subject: terms.purchaseId,
      details: {
        refundId: id,
        amountCents: terms.amountCents,
        isBorneByHouse: terms.isBorneByHouse,
        reason,
      },
    });
    await enqueue(tx, sendPurchaseRefund, { refundId: id });
    return { ok: true, isNew: true };
  });
}

type NewRefund = Pick<
  typeof purchaseRefunds.$inferInsert,
  "id" | "purchaseId" | "amountCents" | "isBorneByHouse" | "reason" | "requestedBy"
>;

/**
 * Stores a refund as requested, unless it is stored already, locks its purchase and freezes the wallet. Refuses when
 * another amount is left of the payment than was shown, if that is given.
 */
export async function insertRefund(
  tx: Tx,
  refund: NewRefund,
  shownRemainingCents?: number,
): Promise<{ ok: true; isNew: boolean; purchase: PaidPurchase; remainingCents: number } | Refused> {
  const refuse = (refusal: RefundRefusal, remainingCents = 0): Refused => ({
    ok: false,
    refusal,
    remainingCents,
  });
  const [purchase] = isId(refund.purchaseId)
    ? await tx
        .select()
        .from(coinPurchases)
        .where(eq(coinPurchases.id, refund.purchaseId))
        .for("update")
    : [];
  if (!purchase) return refuse("no-such-purchase");
  if (purchase.userId === refund.requestedBy) return refuse("yourself");
  const { paymentId } = purchase;
  if (paymentId === null || !canRefund(purchase.provider)) return refuse("not-refundable");
  const paid = { ...purchase, paymentId };
  const [stored] = await tx.select().from(purchaseRefunds).where(eq(purchaseRefunds.id, refund.id));
  if (stored && stored.purchaseId !== purchase.id) return refuse("no-such-purchase");
  if (stored)
    return stored.amountCents === refund.amountCents &&
      stored.isBorneByHouse === refund.isBorneByHouse
      ? { ok: true, isNew: false, purchase: paid, remainingCents: 0 }
      : refuse("other-terms");
  if (purchase.disputeStatus === "open") return refuse("disputed");
  if (await isRefundInProgress(tx, purchase.id)) return refuse("in-progress");
  // A claim code is redeemed with the wallet locked.
  await lockWallet(tx, purchase.userId);
  const { rows } = await tx.execute<{ cents: number }>(
    sql`select ${sql.raw(REMAINING_CENTS)} as cents from coin_purchases p where p.id = ${purchase.id}`,
  );
  const remainingCents = rows[0]?.cents ?? 0;
  if (refund.amountCents > remainingCents) return refuse("above-remaining", remainingCents);
  if (shownRemainingCents !== undefined && shownRemainingCents !== remainingCents)
    return refuse("remaining-changed", remainingCents);
  await tx.insert(purchaseRefunds).values({
    ...refund,
    returnedCentsBefore: Math.min(
      purchase.amountCents,
      purchase.refundedCents + purchase.lostCents,
    ),
    status: "requested",
    createdAt: now(),
  });
  // Until the provider has answered, the coins cannot be spent as well.
  await setWalletFrozen(tx, purchase.userId, true);
  return { ok: true, isNew: true, purchase: paid, remainingCents };
}

/** Returns whether a refund of a purchase, or of its unspent coins, waits for the answer of its provider. */
export async function isRefundInProgress(tx: Tx, purchaseId: string): Promise<boolean> {
  for (const refunds of [purchaseRefunds, unspentCoinRefunds]) {
    const isInProgress = and(eq(refunds.purchaseId, purchaseId), eq(refunds.status, "requested"));
    if ((await tx.$count(refunds, isInProgress)) > 0) return true;
  }
  return false;
}

/** Sends a requested refund to the provider, applies it to the purchase, and records what became of it. */
export const sendPurchaseRefund: Job<{ refundId: string }> = {
  name: "send-purchase-refund",
  async run({ refundId }) {
    const isRequested = and(
      eq(purchaseRefunds.id, refundId),
      eq(purchaseRefunds.status, "requested"),
    );
    const [row] = await database()
      .select({ refund: purchaseRefunds, purchase: coinPurchases })
      .from(purchaseRefunds)
      .innerJoin(coinPurchases, eq(coinPurchases.id, purchaseRefunds.purchaseId))
      .where(isRequested);
    if (!row) return;
    const { refund, purchase } = row;
    const { provider, paymentId } = purchase;
    const status =
      (await sendRefund(purchaseRefunds, purchase, refund)) === "failed" ? "failed" : "sent";
    if (status === "sent" && paymentId !== null) await syncPayment({ provider, paymentId });
    await transaction(async (tx) => {
      await lockWallet(tx, purchase.userId);
      const changed = await tx
        .update(purchaseRefunds)
        .set({ status })
        .where(isRequested)
        .returning();
      // Unfreezes the wallet.
      await syncLostCoins(tx, purchase.userId);
      if (changed.length === 0 || status !== "failed") return;
      const { amountCents, requestedBy } = refund;
      await raiseAlert(
        {
          kind: "refund-failed",
          subject: purchase.id,
          message: `The provider did not refund ${formatRand(amountCents)} of payment ${paymentId}. Nothing was taken from the buyer.`,
        },
        tx,
      );
      // A buyer does not know of a refund that an admin requested.
      if (requestedBy === null) await enqueueRefundFailedEmail(tx, purchase, amountCents);
    });
  },
};

/** Returns the refunds of a purchase that an admin or the buyer requested, the newest first. */
export async function listPurchaseRefunds(purchaseId: string) {
  return await database()
    .select({
      id: purchaseRefunds.id,
      amountCents: purchaseRefunds.amountCents,
      isBorneByHouse: purchaseRefunds.isBorneByHouse,
      reason: purchaseRefunds.reason,
      requestedBy: purchaseRefunds.requestedBy,
      status: purchaseRefunds.status,
      requestedAt: purchaseRefunds.createdAt,
    })
    .from(purchaseRefunds)
    .where(eq(purchaseRefunds.purchaseId, purchaseId))
    .orderBy(desc(purchaseRefunds.createdAt));
}

/** What a refund would change, in coins and cents. */
export type RefundPreview = {
  /** What is left of the payment before it, in cents. */
  remainingCents: number;
  /** Taken from the wallet. */
  walletCoins: number;
  /** Owed by the buyer because they are spent. */
  owedCoins: number;
  /** Granted by the house because they are spent. */
  grantedCoins: number;
  earnings: {
    saleId: number;
    raceCardId: string;
    beforeCents: number;
    afterCents: number;
    /** Whether it stays as it is because it is in a payment file or paid. */
    isKept: boolean;
  }[];
};

/** Returns what a refund would change, by making it and rolling it back, or why it would be refused. */
export async function previewRefund(
  adminId: string,
  terms: RefundTerms,
): Promise<({ ok: true } & RefundPreview) | Refused> {
  return await dryRun(async (tx) => {
    const result = await insertRefund(tx, {
      ...terms,
      id: randomUUID(),
      reason: "",
      requestedBy: adminId,
    });
    if (!result.ok) return result;
    const { purchase, remainingCents } = result;
    const { userId } = purchase;
    const report = await lockReport(tx, purchase);
    const before = await readPosition(tx, userId);
    const chargedCents = report.chargedCents ?? purchase.amountCents;
    const refundedCents =
      report.refundedCents + (terms.amountCents * chargedCents) / purchase.amountCents;
    await applyRefundOrDispute(
      tx,
      purchase,
      { ...report, refundedCents },
      { previousRefundedCents: refundedCents },
    );
    const after = await readPosition(tx, userId);
    return {
      ok: true,
      remainingCents,
      walletCoins: before.wallet.balanceCoins - after.wallet.balanceCoins,
      owedCoins: after.wallet.owedCoins - before.wallet.owedCoins,
      grantedCoins: after.grantedCoins - before.grantedCoins,
      earnings: [...after.earnings.values()].flatMap((earning) => {
        const earlier = before.earnings.get(earning.saleId);
        if (!earlier || earlier.lackingCoins === earning.lackingCoins) return [];
        const { saleId, raceCardId, isKept, cents: afterCents } = earning;
        return [{ saleId, raceCardId, isKept, beforeCents: earlier.cents, afterCents }];
      }),
    };
  });
}

/** Returns the wallet of a buyer, the coins granted in all, and the earnings of the sales. */
async function readPosition(tx: Tx, userId: string) {
  const { rows: earnings } = await tx.execute<{
    saleId: number;
    raceCardId: string;
    lackingCoins: number;
    cents: number;
    isKept: boolean;
  }>(sql`
    select s.id as "saleId", s.race_card_id as "raceCardId", e.lacking_coins as "lackingCoins",
      case when r.sale_id is null then e.amount_cents else 0 end as cents, e.payout_id is not null as "isKept"
    from sales s join earnings e on e.sale_id = s.id
      left join earning_reversals r on r.sale_id = s.id
    where s.buyer_id = ${userId} order by s.id`);
  const { rows: grants } = await tx.execute<{ coins: number }>(sql`
    select coalesce(sum(l.amount), 0)::integer as coins
    from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
    where l.owner_id = ${userId} and l.account in ('wallet', 'owed') and t.kind = 'grant'`);
  return {
    wallet: await lockWallet(tx, userId),
    grantedCoins: grants[0]?.coins ?? 0,
    earnings: new Map(earnings.map((earning) => [earning.saleId, earning])),
  };
}
