import { and, eq } from "drizzle-orm";
import { raiseAlert } from "#platform/alerts.server.ts";
import type { Tx } from "#platform/database.server.ts";
import {
  holdEarnings,
  releaseEarnings,
  reverseNewestSales,
} from "#race-cards/race-cards.server.ts";
import { type Posting, postToLedger, readWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import type { PaymentReport } from "./payment-report.server.ts";
import { coinPurchases } from "./tables.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;

/**
 * Brings a purchase to where its payment stands. What was refunded or lost in a dispute is taken back
 * in coins: first from the wallet, then from the buyer's newest sales whose earnings are not payable
 * yet, and what remains is owed. An open dispute freezes the wallet and holds those earnings.
 */
export async function takeBack(
  tx: Tx,
  purchase: Purchase,
  report: Pick<PaymentReport, "refundedCents" | "disputeStatus">,
): Promise<void> {
  // Everything below reads and moves this wallet: it is locked first.
  await readWallet(purchase.userId, tx);
  const refunded = await followRefund(tx, purchase, report.refundedCents);
  await followDispute(tx, refunded, report.disputeStatus);
}

async function followRefund(tx: Tx, purchase: Purchase, reported: number): Promise<Purchase> {
  const refundedCents = Math.min(reported, purchase.amountCents);
  if (reported > purchase.amountCents)
    await raiseAlert(
      {
        kind: "refund-exceeds-payment",
        subject: purchase.id,
        message: `Payment ${purchase.paymentIntentId} was refunded by more than was paid.`,
      },
      tx,
    );
  if (refundedCents <= purchase.refundedCents) return purchase;
  // Of a part that was refunded only whole coins go back.
  const coins = Math.floor((purchase.coins * refundedCents) / purchase.amountCents);
  const takenBackCoins = Math.max(coins, purchase.takenBackCoins);
  await post(tx, purchase, {
    kind: "refund",
    reference: `${purchase.id}:${refundedCents}`,
    // A lost dispute has already returned all of the money.
    cents: purchase.disputeStatus === "lost" ? 0 : refundedCents - purchase.refundedCents,
    coins: takenBackCoins - purchase.takenBackCoins,
  });
  await tx
    .update(coinPurchases)
    .set({ refundedCents, takenBackCoins })
    .where(eq(coinPurchases.id, purchase.id));
  return { ...purchase, refundedCents, takenBackCoins };
}

async function followDispute(
  tx: Tx,
  purchase: Purchase,
  status: Purchase["disputeStatus"],
): Promise<void> {
  if (status === null || status === purchase.disputeStatus) return;
  if (status === "open") {
    await setWalletFrozen(tx, purchase.userId, true);
    await hold(tx, purchase);
    await raiseAlert(
      {
        kind: "dispute",
        subject: purchase.id,
        message: `Payment ${purchase.paymentIntentId} is disputed: the provider waits for an answer.`,
      },
      tx,
    );
  }
  if (status === "lost") {
    await post(tx, purchase, {
      kind: "dispute",
      reference: purchase.id,
      cents: purchase.amountCents - purchase.refundedCents,
      coins: purchase.coins - purchase.takenBackCoins,
    });
  }
  await tx
    .update(coinPurchases)
    .set({
      disputeStatus: status,
      ...(status === "lost" ? { takenBackCoins: purchase.coins } : {}),
    })
    .where(eq(coinPurchases.id, purchase.id));
  if (status !== "open") await letGo(tx, purchase.userId);
}

/** Takes coins and cents back, each possibly none. */
async function post(
  tx: Tx,
  purchase: Purchase,
  due: { kind: "refund" | "dispute"; reference: string; cents: number; coins: number },
): Promise<void> {
  const owner = purchase.userId;
  const { balanceCoins } = await readWallet(owner, tx);
  const fromWallet = Math.min(due.coins, balanceCoins);
  const rest = due.coins - fromWallet;
  const reversed =
    rest > 0
      ? await reverseNewestSales(tx, {
          buyerId: owner,
          since: purchase.createdAt,
          upToCoins: rest,
          reason: due.kind,
        })
      : { coins: 0 };
  const postings: Posting[] = [
    { account: "wallet", owner, unit: "coin", amount: -fromWallet },
    { account: "redeemed", unit: "coin", amount: -reversed.coins },
    { account: "owed", owner, unit: "coin", amount: -(rest - reversed.coins) },
    { account: "sold", unit: "coin", amount: due.coins },
    { account: "provider", unit: "cent", amount: -due.cents },
    { account: "coin sales", unit: "cent", amount: due.cents },
  ];
  const moved = postings.filter((each) => each.amount !== 0);
  if (moved.length > 0) await postToLedger(tx, due.kind, due.reference, moved);
}

async function hold(tx: Tx, purchase: Purchase): Promise<void> {
  await holdEarnings(tx, {
    buyerId: purchase.userId,
    since: purchase.createdAt,
    reason: "dispute",
  });
}

/** Undoes what an open dispute did, as far as no other dispute of the same buyer is still open. */
async function letGo(tx: Tx, userId: string): Promise<void> {
  await releaseEarnings(tx, { buyerId: userId, reason: "dispute" });
  const open = await tx
    .select()
    .from(coinPurchases)
    .where(and(eq(coinPurchases.userId, userId), eq(coinPurchases.disputeStatus, "open")));
  for (const each of open) await hold(tx, each);
  if (open.length === 0) await setWalletFrozen(tx, userId, false);
}
