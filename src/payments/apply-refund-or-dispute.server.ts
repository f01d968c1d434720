import { eq } from "drizzle-orm";
import { formatRand } from "#domain/coins.ts";
import { readUsers } from "#identity/identity.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { returnCoinsOfRestoredSales } from "#sales/sales.server.ts";
import { lockWallet, type Posting, postToLedger } from "#wallet/wallet.server.ts";
import { holdDisputedEarnings, syncDisputeHolds } from "./dispute-holds.server.ts";
import type { PaymentReport } from "./payment-report.server.ts";
import {
  adjustPurchasedCoins,
  type RecoveredCoins,
  readRecoveredCoins,
  recoverWelcomeCoins,
  restoreWelcomeCoins,
} from "./recover-coins.server.ts";
import { renderRefundEmail } from "./refund.email.tsx";
import { coinPurchases, purchaseAdjustments } from "./tables.server.ts";
import { failUnspentCoinRefund } from "./unspent-coins/refund-unspent-coins.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;

const NO_WELCOME_COINS = { welcomeWalletCoins: 0, welcomeSaleCoins: 0 };

/**
 * Applies the state of a payment to its purchase. The refunded and lost amount determines how many coins
 * are recovered, independent of the number of events: a higher amount recovers coins, a lower one (a failed
 * refund, a dispute won on appeal) returns them. An open dispute freezes the wallet and holds the
 * earnings that losing it would take. `previousRefundedCents` is the refunded total reported before. Must be called inside
 * the transaction that locked the report.
 */
export async function applyRefundOrDispute(
  tx: Tx,
  purchase: Purchase,
  report: PaymentReport,
  previousRefundedCents = 0,
): Promise<void> {
  // Locks the wallet, which everything below reads and changes.
  await lockWallet(tx, purchase.userId);
  const { disputeStatus } = report;
  const refundedCents = convertToPurchaseCurrency(purchase, report, report.refundedCents);
  const lostCents = convertToPurchaseCurrency(purchase, report, report.lostCents);
  const hasChanged =
    refundedCents !== purchase.refundedCents ||
    lostCents !== purchase.lostCents ||
    disputeStatus !== purchase.disputeStatus;
  // Before the comparison, in which an amount above the payment counts as a full refund.
  if (report.refundedCents > previousRefundedCents) await alertIfAbovePayment(tx, purchase, report);
  if (!hasChanged) return;
  await alertIfOtherCurrency(tx, purchase, report);
  // Also for a lost dispute that was never reported as open, so that both end in the same state.
  if (disputeStatus === "open" || disputeStatus === "lost")
    await holdDisputedEarnings(tx, purchase);
  const refunded = await adjustPurchase(tx, "refund", purchase, { ...purchase, refundedCents });
  await adjustPurchase(tx, "dispute", refunded, { ...refunded, lostCents });
  // After posting the adjustments, which were calculated from the wallet as it was.
  await returnCoinsOfRestoredSales(tx, purchase.id);

  if (disputeStatus !== purchase.disputeStatus) {
    await tx.update(coinPurchases).set({ disputeStatus }).where(eq(coinPurchases.id, purchase.id));
    await alertAboutDispute(tx, purchase, disputeStatus, lostCents);
  }
  await syncDisputeHolds(tx, purchase.userId);
}

/** Converts an amount by its share of the charge, which also works for another currency. */
function convertToPurchaseCurrency(
  purchase: Purchase,
  report: PaymentReport,
  cents: number,
): number {
  const { amountCents } = purchase;
  const chargedCents = report.chargedCents ?? amountCents;
  return Math.min(amountCents, Math.round((amountCents * cents) / chargedCents));
}

/** Returns the total returned to the payer; a refund after a lost dispute returns no money twice. */
function calculateReturnedCents(purchase: Purchase): number {
  return Math.min(purchase.amountCents, purchase.refundedCents + purchase.lostCents);
}

/** Returns the number of coins to recover, rounded down to whole coins. */
function calculateCoinsDue(purchase: Purchase): number {
  return Math.floor((purchase.coins * calculateReturnedCents(purchase)) / purchase.amountCents);
}

/** Posts the difference between two states of a purchase, in one ledger transaction. */
async function adjustPurchase(
  tx: Tx,
  kind: "refund" | "dispute",
  current: Purchase,
  target: Purchase,
): Promise<Purchase> {
  if (current.refundedCents === target.refundedCents && current.lostCents === target.lostCents)
    return current;
  const cents = calculateReturnedCents(target) - calculateReturnedCents(current);
  const recoveredCoins = calculateCoinsDue(target);
  const recoveredBefore = await readRecoveredCoins(tx, current);
  const isWelcomeRecovered =
    recoveredBefore.welcomeWalletCoins + recoveredBefore.welcomeSaleCoins > 0;
  const areWelcomeCoinsDue =
    current.welcomeCoins > 0 && calculateReturnedCents(target) === target.amountCents;
  const restoredWelcomeCoins =
    isWelcomeRecovered && !areWelcomeCoinsDue
      ? await restoreWelcomeCoins(tx, current, { kind, recoveredBefore })
      : NO_WELCOME_COINS;
  const coins = await adjustPurchasedCoins(tx, current, {
    kind,
    recoveredBefore,
    coinsDue: recoveredCoins,
  });
  const welcomeCoins =
    areWelcomeCoinsDue && !isWelcomeRecovered
      ? await recoverWelcomeCoins(tx, current, { kind, walletCoins: coins.walletCoins })
      : restoredWelcomeCoins;
  const recovered = { ...coins, ...welcomeCoins };
  await postAdjustment(tx, kind, current, {
    cents,
    recovered,
    step: recoveredBefore.adjustments + 1,
  });
  await tx
    .update(coinPurchases)
    .set({ refundedCents: target.refundedCents, lostCents: target.lostCents, recoveredCoins })
    .where(eq(coinPurchases.id, current.id));
  if (cents < 0) {
    const isClaimable = kind === "refund" && (await failUnspentCoinRefund(tx, current.id));
    await alertAboutReturnedMoney(tx, kind, current, { cents: -cents, isClaimable });
  }
  if (cents > 0 && kind === "refund")
    await enqueueRefundEmail(tx, current, {
      amountCents: cents,
      removedCoins: recoveredCoins - current.recoveredCoins,
      owedCoins: Math.max(0, recovered.owedCoins),
    });
  return { ...target, recoveredCoins };
}

async function postAdjustment(
  tx: Tx,
  kind: "refund" | "dispute",
  { id, userId: owner }: Purchase,
  { cents, recovered, step }: { cents: number; recovered: RecoveredCoins; step: number },
): Promise<void> {
  const { walletCoins, saleCoins, owedCoins, welcomeWalletCoins, welcomeSaleCoins } = recovered;
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
  const nonZero = postings.filter((posting) => posting.amount !== 0);
  if (nonZero.length === 0) return;
  const transactionId = await postToLedger(tx, kind, `${id}:adjustment-${step}`, nonZero);
  if (transactionId === null)
    throw new Error(`adjustment ${step} of purchase ${id} exists already`);
  await tx
    .insert(purchaseAdjustments)
    .values({ purchaseId: id, transactionId, kind, cents, coins, ...recovered, createdAt: now() });
}

async function enqueueRefundEmail(
  tx: Tx,
  { userId, coinPackTitle }: Purchase,
  refund: { amountCents: number; removedCoins: number; owedCoins: number },
): Promise<void> {
  const user = (await readUsers([userId], tx)).get(userId);
  if (!user || user.isClosed) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId,
    kind: "refunded",
    ...(await renderRefundEmail({ name: user.name, coinPackTitle, ...refund })),
  });
}

async function alertIfAbovePayment(
  tx: Tx,
  purchase: Purchase,
  { chargedCents, refundedCents }: PaymentReport,
): Promise<void> {
  if (refundedCents > (chargedCents ?? purchase.amountCents))
    await raiseAlert(
      {
        kind: "refund-exceeds-payment",
        subject: purchase.id,
        message: `Payment ${purchase.paymentId} was refunded by more than was paid.`,
      },
      tx,
    );
}

async function alertIfOtherCurrency(
  tx: Tx,
  purchase: Purchase,
  { currency }: PaymentReport,
): Promise<void> {
  if (currency !== null && currency !== purchase.currency)
    await raiseAlert(
      {
        kind: "payment-currency",
        subject: purchase.id,
        message: `Payment ${purchase.paymentId} was charged or disputed in ${currency.toUpperCase()}, not in ${purchase.currency.toUpperCase()}. Its refunds and disputes count by their share of the charge.`,
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
  const paymentLabel = `Payment ${purchase.paymentId}`;
  if (status === "open")
    await raiseAlert(
      {
        kind: "dispute",
        subject: purchase.id,
        message: `${paymentLabel} is disputed. Answer the dispute at the payment provider.`,
      },
      tx,
    );
  if (status === "lost")
    await raiseAlert(
      {
        kind: "dispute-lost",
        subject: purchase.id,
        message: `The dispute of payment ${purchase.paymentId} was lost: ${formatRand(lostCents)} of ${formatRand(purchase.amountCents)} went back to the payer.`,
      },
      tx,
    );
}

async function alertAboutReturnedMoney(
  tx: Tx,
  kind: "refund" | "dispute",
  { id, paymentId }: Purchase,
  { cents, isClaimable }: { cents: number; isClaimable: boolean },
): Promise<void> {
  const amount = formatRand(cents);
  const outcome = isClaimable
    ? "The claim code of the closed account covers the coins."
    : "The payer is still waiting for the money.";
  await raiseAlert(
    kind === "refund"
      ? {
          kind: "refund-failed",
          subject: id,
          message: `A refund of payment ${paymentId} failed: ${amount} was returned to us, and the coins were returned to the buyer. ${outcome}`,
        }
      : {
          kind: "dispute-reinstated",
          subject: id,
          message: `The provider returned ${amount} of a dispute of payment ${paymentId} that was lost. The coins were returned to the buyer.`,
        },
    tx,
  );
}
