import { and, eq, inArray } from "drizzle-orm";
import { formatRand } from "#domain/coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import type { Purchase } from "../purchases.server.ts";
import { sendRefund } from "../refunds/send-refund.server.ts";
import { coinPurchases, orders, unspentCoinRefunds } from "../tables.server.ts";
import { renderAccountClosedEmail } from "./account-closed.email.tsx";
import { issueClaimCode } from "./claim-codes.server.ts";
import {
  type CoinsAtClosing,
  listUnspentCoins,
  sumCoinsAtClosing,
  type UnspentCoins,
} from "./list-unspent-coins.server.ts";

/** What became of the coins of a closed account. `claimCode` is null when there is nothing to refund, now or later. */
export type ClosingResult = CoinsAtClosing & { claimCode: string | null };

/**
 * Requests refunds of the bought coins that a user has not spent, and issues the claim code for refunds that fail, also
 * for that of a payment which has not arrived yet. The user is sent both by email. Must be called in the transaction that
 * closes the account, with the wallet locked.
 */
export async function refundUnspentCoins(
  tx: Tx,
  user: { id: string; name: string; email: string },
  balanceCoins: number,
): Promise<ClosingResult> {
  const unspentCoins = await listUnspentCoins(user.id, balanceCoins, tx);
  const totals = sumCoinsAtClosing(balanceCoins, unspentCoins);
  const isDelayed = and(eq(orders.userId, user.id), eq(orders.status, "delayed"));
  const isPaymentDelayed = (await tx.$count(orders, isDelayed)) > 0;
  if (unspentCoins.length === 0 && !isPaymentDelayed) return { ...totals, claimCode: null };
  await requestRefunds(tx, user.id, unspentCoins);
  const claimCode = await issueClaimCode(tx, user.id);
  await enqueueEmail(tx, {
    to: user.email,
    kind: "account-closed",
    ...(await renderAccountClosedEmail({
      name: user.name,
      claimCode,
      isPaymentDelayed,
      ...totals,
    })),
  });
  return { ...totals, claimCode };
}

/** Requests refunds of unspent coins within the caller's transaction. */
export async function requestRefunds(
  tx: Tx,
  userId: string,
  unspentCoins: readonly UnspentCoins[],
): Promise<void> {
  if (unspentCoins.length === 0) return;
  const rows = await tx
    .insert(unspentCoinRefunds)
    .values(
      unspentCoins.map(({ isRefundable, returnedCents, ...coins }) => ({
        ...coins,
        userId,
        returnedCentsBefore: returnedCents,
        status: isRefundable ? ("requested" as const) : ("failed" as const),
        createdAt: now(),
      })),
    )
    .returning({ id: unspentCoinRefunds.id, status: unspentCoinRefunds.status });
  for (const { id, status } of rows)
    if (status === "requested") await enqueue(tx, sendUnspentCoinRefund, { refundId: id });
}

/** Sends a requested refund to the provider, once: a repeated request has the same key. */
export const sendUnspentCoinRefund: Job<{ refundId: string }> = {
  name: "send-unspent-coin-refund",
  async run({ refundId }) {
    const [row] = await database()
      .select({ refund: unspentCoinRefunds, purchase: coinPurchases })
      .from(unspentCoinRefunds)
      .innerJoin(coinPurchases, eq(coinPurchases.id, unspentCoinRefunds.purchaseId))
      .where(and(eq(unspentCoinRefunds.id, refundId), eq(unspentCoinRefunds.status, "requested")));
    if (!row) return;
    const status = await sendRefund(unspentCoinRefunds, row.purchase, {
      ...row.refund,
      reason: "Unspent coins of a closed account",
    });
    await transaction(async (tx) => {
      const changed = await tx
        .update(unspentCoinRefunds)
        .set({ status: status === "failed" ? "failed" : "sent" })
        .where(and(eq(unspentCoinRefunds.id, refundId), eq(unspentCoinRefunds.status, "requested")))
        .returning();
      if (changed.length > 0 && status === "failed") await alertAboutFailure(tx, row);
    });
  },
};

type RefundRow = {
  refund: typeof unspentCoinRefunds.$inferSelect;
  purchase: Purchase;
};

async function alertAboutFailure(tx: Tx, { refund, purchase }: RefundRow): Promise<void> {
  await raiseAlert(
    {
      kind: "refund-failed",
      subject: purchase.id,
      message: `The provider did not refund ${formatRand(refund.amountCents)} of payment ${purchase.paymentId} for the unspent coins of a closed account. The claim code of the account covers them.`,
    },
    tx,
  );
}

/**
 * Records that a refund of a purchase failed after it was requested, so that the claim code covers its coins. Returns
 * whether it was for unspent coins. The wallet must be locked.
 */
export async function failUnspentCoinRefund(tx: Tx, purchaseId: string): Promise<boolean> {
  const failed = await tx
    .update(unspentCoinRefunds)
    .set({ status: "failed" })
    .where(
      and(
        eq(unspentCoinRefunds.purchaseId, purchaseId),
        inArray(unspentCoinRefunds.status, ["requested", "sent"]),
      ),
    )
    .returning({ id: unspentCoinRefunds.id });
  return failed.length > 0;
}
