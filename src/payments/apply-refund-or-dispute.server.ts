import { and, eq, min } from "drizzle-orm";
import { formatRand } from "#domain/coins.ts";
import { readUsers } from "#identity/identity.server.ts";
import { holdEarnings, releaseEarnings } from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { type Posting, postToLedger, readWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import type { PaymentReport } from "./payment-report.server.ts";
import { refundedMail } from "./refunded.email.tsx";
import { coinPurchases, purchaseAdjustments } from "./tables.server.ts";
import {
  adjustPurchasedCoins,
  adjustWelcomeCoins,
  type CoinsTaken,
  readCoinsTaken,
} from "./take-back-coins.server.ts";

type Purchase = typeof coinPurchases.$inferSelect;

/**
 * Applies the state of a payment to its purchase. The refunded and lost amount determines how many coins
 * are taken back, independent of the number of events: a higher amount takes coins, a lower one (a failed
 * refund, a dispute won on appeal) returns them. An open dispute freezes the wallet and holds the earnings
 * of every later sale. Must be called inside the transaction that locked the report.
 */
export async function applyRefundOrDispute(
  tx: Tx,
  purchase: Purchase,
  report: PaymentReport,
): Promise<void> {
  // Locks the wallet, which everything below reads and changes.
  await readWallet(purchase.userId, tx);
  const { disputeStatus } = report;
  const refundedCents = inPurchaseCurrency(purchase, report, report.refundedCents);
  const lostCents = inPurchaseCurrency(purchase, report, report.lostCents);
  const hasChanged =
    refundedCents !== purchase.refundedCents ||
    lostCents !== purchase.lostCents ||
    disputeStatus !== purchase.disputeStatus;
  if (!hasChanged) return;
  await alertIfUnexpected(tx, purchase, report);
  // Also for a lost dispute that was never reported as open, so that both end in the same state.
  if (disputeStatus === "open" || disputeStatus === "lost") await holdLaterEarnings(tx, purchase);
  const refunded = await adjust(tx, "refund", purchase, { ...purchase, refundedCents });
  await adjust(tx, "dispute", refunded, { ...refunded, lostCents });

  if (disputeStatus !== purchase.disputeStatus) {
    await tx.update(coinPurchases).set({ disputeStatus }).where(eq(coinPurchases.id, purchase.id));
    await alertAboutDispute(tx, purchase, disputeStatus, lostCents);
  }
  await syncDisputeHolds(tx, purchase.userId);
}

/** Converts an amount by its share of the charge, which also works for another currency. */
function inPurchaseCurrency(purchase: Purchase, report: PaymentReport, cents: number): number {
  const { amountCents } = purchase;
  const charged = report.chargedCents ?? amountCents;
  return Math.min(amountCents, Math.round((amountCents * cents) / charged));
}

/** Returns the total returned to the payer; a refund after a lost dispute returns no money twice. */
function returnedCents(purchase: Purchase): number {
  return Math.min(purchase.amountCents, purchase.refundedCents + purchase.lostCents);
}

/** Returns the number of coins to take back, rounded down to whole coins. */
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
  const coins = await adjustPurchasedCoins(tx, from, { kind, before, coinsDue: recoveredCoins });
  const welcome = await adjustWelcomeCoins(tx, from, {
    kind,
    before,
    isDue: returnedCents(to) === to.amountCents,
    walletCoins: coins.walletCoins,
  });
  const taken = { ...coins, ...welcome };
  await post(tx, kind, from, { cents, taken, step: before.adjustments + 1 });
  await tx
    .update(coinPurchases)
    .set({ refundedCents: to.refundedCents, lostCents: to.lostCents, recoveredCoins })
    .where(eq(coinPurchases.id, from.id));
  if (cents < 0) await alertAboutMoneyBack(tx, kind, from, -cents);
  if (cents > 0 && kind === "refund")
    await enqueueRefundMail(tx, from, {
      cents,
      coins: recoveredCoins - from.recoveredCoins,
      owedCoins: Math.max(0, taken.owedCoins),
    });
  return { ...to, recoveredCoins };
}

async function post(
  tx: Tx,
  kind: "refund" | "dispute",
  { id, userId: owner }: Purchase,
  { cents, taken, step }: { cents: number; taken: CoinsTaken; step: number },
): Promise<void> {
  const { walletCoins, saleCoins, owedCoins, welcomeWalletCoins, welcomeSaleCoins } = taken;
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
    .values({ purchaseId: id, transactionId, kind, cents, coins, ...taken, createdAt: now() });
}

async function enqueueRefundMail(
  tx: Tx,
  { userId, packageName }: Purchase,
  refund: { cents: number; coins: number; owedCoins: number },
): Promise<void> {
  const user = (await readUsers([userId], tx)).get(userId);
  if (!user || user.isClosed) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId,
    kind: "refunded",
    ...(await refundedMail({ name: user.name, packageName, ...refund })),
  });
}

async function holdLaterEarnings(
  tx: Tx,
  purchase: Pick<Purchase, "userId" | "transactionId">,
): Promise<void> {
  await holdEarnings(tx, {
    buyerId: purchase.userId,
    afterTransactionId: purchase.transactionId,
    reason: "dispute",
  });
}

/** Holds the earnings after the buyer's earliest open dispute; without one, releases them and unfreezes the wallet. */
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
  if (transactionId !== null) await holdLaterEarnings(tx, { userId, transactionId });
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
          message: `A refund of payment ${paymentIntentId} failed: ${amount} was returned to us, and the coins were returned to the buyer. The payer is still waiting for the money.`,
        }
      : {
          kind: "dispute-reinstated",
          subject: id,
          message: `The provider returned ${amount} of a dispute of payment ${paymentIntentId} that was lost. The coins were returned to the buyer.`,
        },
    tx,
  );
}
