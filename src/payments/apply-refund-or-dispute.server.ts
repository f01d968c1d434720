import { and, eq, min } from "drizzle-orm";
import { formatRand } from "#domain/coins.ts";
import { readUsers } from "#identity/identity.server.ts";
import { holdEarnings, releaseEarnings } from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { type Posting, postToLedger, readWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import type { PaymentReport } from "./payment-report.server.ts";
import { refundedMail } from "./refunded.email.tsx";
import { coinPurchases, purchaseAdjustments } from "./tables.server.ts";
import {
  type CoinsTaken,
  readCoinsTaken,
  takeOrGiveBackCoins,
  takeOrGiveBackWelcome,
} from "./take-back-coins.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;

/**
 * Brings a purchase to where its payment stands. The refunded and lost part of the payment decides how
 * many coins the purchase has lost, however many events led there: more of it takes coins, less of it
 * (a failed refund, a dispute won on appeal) gives them back. An open dispute freezes the wallet and
 * holds the earnings of every later sale. Must be called inside the transaction that locked the report.
 */
export async function applyRefundOrDispute(
  tx: Tx,
  purchase: Purchase,
  report: PaymentReport,
): Promise<void> {
  // Everything below reads and moves this wallet: it is locked first.
  await readWallet(purchase.userId, tx);
  const { disputeStatus } = report;
  const refundedCents = inPurchaseCurrency(purchase, report, report.refundedCents);
  const lostCents = inPurchaseCurrency(purchase, report, report.lostCents);
  const isNews =
    refundedCents !== purchase.refundedCents ||
    lostCents !== purchase.lostCents ||
    disputeStatus !== purchase.disputeStatus;
  if (!isNews) return;
  await alertIfUnexpected(tx, purchase, report);
  // Also before a loss whose opening nobody reported: it ends the same as one that was open first.
  if (disputeStatus === "open" || disputeStatus === "lost") await hold(tx, purchase);
  const refunded = await adjust(tx, "refund", purchase, { ...purchase, refundedCents });
  await adjust(tx, "dispute", refunded, { ...refunded, lostCents });

  if (disputeStatus !== purchase.disputeStatus) {
    await tx.update(coinPurchases).set({ disputeStatus }).where(eq(coinPurchases.id, purchase.id));
    await alertAboutDispute(tx, purchase, disputeStatus, lostCents);
  }
  await syncDisputeHolds(tx, purchase.userId);
}

/** The same share of the purchase as the amount is of the charge, whatever its currency. */
function inPurchaseCurrency(purchase: Purchase, report: PaymentReport, cents: number): number {
  const { amountCents } = purchase;
  const charged = report.chargedCents ?? amountCents;
  return Math.min(amountCents, Math.round((amountCents * cents) / charged));
}

/** What the payer has back in all: a refund after a lost dispute returns no money a second time. */
function returnedCents(purchase: Purchase): number {
  return Math.min(purchase.amountCents, purchase.refundedCents + purchase.lostCents);
}

/** Of a part only whole coins are taken. */
function coinsDue(purchase: Purchase): number {
  return Math.floor((purchase.coins * returnedCents(purchase)) / purchase.amountCents);
}

/** Posts the difference between two states of a purchase, in one ledger transaction. */
async function adjust(
  tx: Tx,
  kind: "refund" | "dispute",
  from: Purchase,
  to: Purchase,
): Promise<Purchase> {
  if (from.refundedCents === to.refundedCents && from.lostCents === to.lostCents) return from;
  const cents = returnedCents(to) - returnedCents(from);
  const recoveredCoins = coinsDue(to);
  const before = await readCoinsTaken(tx, from);
  const coins = await takeOrGiveBackCoins(tx, from, { kind, before, coinsDue: recoveredCoins });
  const welcome = await takeOrGiveBackWelcome(tx, from, {
    kind,
    before,
    isDue: returnedCents(to) === to.amountCents,
    walletCoins: coins.walletCoins,
  });
  const moved = { ...coins, ...welcome };
  await post(tx, kind, from, { cents, moved, step: before.adjustments + 1 });
  await tx
    .update(coinPurchases)
    .set({ refundedCents: to.refundedCents, lostCents: to.lostCents, recoveredCoins })
    .where(eq(coinPurchases.id, from.id));
  if (cents < 0) await alertAboutMoneyBack(tx, kind, from, -cents);
  if (cents > 0 && kind === "refund")
    await tellRefunded(tx, from, {
      cents,
      coins: recoveredCoins - from.recoveredCoins,
      owedCoins: Math.max(0, moved.owedCoins),
    });
  return { ...to, recoveredCoins };
}

async function post(
  tx: Tx,
  kind: "refund" | "dispute",
  { id, userId: owner }: Purchase,
  { cents, moved, step }: { cents: number; moved: CoinsTaken; step: number },
): Promise<void> {
  const { walletCoins, saleCoins, owedCoins, welcomeWalletCoins, welcomeSaleCoins } = moved;
  const coins = walletCoins + saleCoins + owedCoins;
  const postings: Posting[] = [
    { account: "wallet", owner, unit: "coin", amount: -walletCoins - welcomeWalletCoins },
    { account: "redeemed", unit: "coin", amount: -saleCoins - welcomeSaleCoins },
    { account: "owed", owner, unit: "coin", amount: -owedCoins },
    { account: "sold", unit: "coin", amount: coins },
    { account: "welcome", unit: "coin", amount: welcomeWalletCoins + welcomeSaleCoins },
    { account: "provider", unit: "cent", amount: -cents },
    { account: "coin sales", unit: "cent", amount: cents },
  ];
  const nonZero = postings.filter((each) => each.amount !== 0);
  if (nonZero.length === 0) return;
  const transactionId = await postToLedger(tx, kind, `${id}:adjustment-${step}`, nonZero);
  if (transactionId === null)
    throw new Error(`adjustment ${step} of purchase ${id} exists already`);
  await tx
    .insert(purchaseAdjustments)
    .values({ purchaseId: id, transactionId, kind, cents, coins, ...moved, createdAt: now() });
}

async function tellRefunded(
  tx: Tx,
  { userId, packageName }: Purchase,
  refund: { cents: number; coins: number; owedCoins: number },
): Promise<void> {
  const user = (await readUsers([userId], tx)).get(userId);
  if (!user || user.isClosed) return;
  await enqueueMail(tx, {
    to: user.email,
    userId,
    kind: "refunded",
    ...(await refundedMail({ name: user.name, packageName, ...refund })),
  });
}

async function hold(tx: Tx, purchase: Pick<Purchase, "userId" | "transactionId">): Promise<void> {
  await holdEarnings(tx, {
    buyerId: purchase.userId,
    afterTransactionId: purchase.transactionId,
    reason: "dispute",
  });
}

/** The earliest open dispute of a buyer decides what is held; without one nothing is, nor frozen. */
async function syncDisputeHolds(tx: Tx, userId: string): Promise<void> {
  const [open] = await tx
    .select({ transactionId: min(coinPurchases.transactionId) })
    .from(coinPurchases)
    .where(and(eq(coinPurchases.userId, userId), eq(coinPurchases.disputeStatus, "open")));
  const transactionId = open?.transactionId ?? null;
  await releaseEarnings(tx, {
    buyerId: userId,
    reason: "dispute",
    upToTransactionId: transactionId,
  });
  if (transactionId !== null) await hold(tx, { userId, transactionId });
  const { isFrozen } = await readWallet(userId, tx);
  if (isFrozen !== (transactionId !== null))
    await setWalletFrozen(tx, userId, transactionId !== null);
}

async function alertIfUnexpected(
  tx: Tx,
  purchase: Purchase,
  { chargedCents, currency, refundedCents }: PaymentReport,
): Promise<void> {
  const payment = `Payment ${purchase.paymentIntentId}`;
  if (refundedCents > (chargedCents ?? purchase.amountCents))
    await raiseAlert(
      {
        kind: "refund-exceeds-payment",
        subject: purchase.id,
        message: `${payment} was refunded by more than was paid.`,
      },
      tx,
    );
  if (currency !== null && currency !== purchase.currency)
    await raiseAlert(
      {
        kind: "payment-currency",
        subject: purchase.id,
        message: `${payment} was charged or disputed in ${currency.toUpperCase()}, not in ${purchase.currency.toUpperCase()}. Its refunds and disputes count by their share of the charge.`,
      },
      tx,
    );
}

async function alertAboutDispute(
  tx: Tx,
  purchase: Purchase,
  status: Purchase["disputeStatus"],
  lostCents: number,
): Promise<void> {
  const payment = `Payment ${purchase.paymentIntentId}`;
  if (status === "open")
    await raiseAlert(
      {
        kind: "dispute",
        subject: purchase.id,
        message: `${payment} is disputed. Answer the dispute at the payment provider.`,
      },
      tx,
    );
  if (status === "lost")
    await raiseAlert(
      {
        kind: "dispute-lost",
        subject: purchase.id,
        message: `The dispute of payment ${purchase.paymentIntentId} was lost: ${formatRand(lostCents)} of ${formatRand(purchase.amountCents)} went back to the payer.`,
      },
      tx,
    );
}

async function alertAboutMoneyBack(
  tx: Tx,
  kind: "refund" | "dispute",
  { id, paymentIntentId }: Purchase,
  cents: number,
): Promise<void> {
  const amount = formatRand(cents);
  await raiseAlert(
    kind === "refund"
      ? {
          kind: "refund-failed",
          subject: id,
          message: `A refund of payment ${paymentIntentId} failed: ${amount} came back to us, and the coins went back to the buyer. The payer is still waiting for the money.`,
        }
      : {
          kind: "dispute-reinstated",
          subject: id,
          message: `The provider returned ${amount} of a dispute of payment ${paymentIntentId} that was lost. The coins went back to the buyer.`,
        },
    tx,
  );
}
