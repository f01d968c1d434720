import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { readUsers, type User } from "#accounts/accounts.server.ts";
import { formatRand } from "#domain/coins.ts";
import { countLostCoins } from "#domain/lost-coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { resolveAlertAbout } from "#platform/list-alerts.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { lockWallet, type Posting, postToLedger } from "#wallet/wallet.server.ts";
import { alertAboutOpenDisputes } from "./dispute-alerts.server.ts";
import type { DisputeDetails } from "./gateway.ts";
import type { PaymentReport } from "./payment-report.server.ts";
import type { Purchase } from "./purchases.server.ts";
import { renderRefundEmail, renderRefundFailedEmail } from "./refund.email.tsx";
import { syncLostCoins } from "./sync-lost-coins.server.ts";
import { coinPurchases, purchaseAdjustments, purchaseRefunds } from "./tables.server.ts";
import { failUnspentCoinRefund } from "./unspent-coins/refund-unspent-coins.server.ts";

/**
 * Applies the state of a payment to its purchase. The refunded and lost amount determines how many coins are lost,
 * independent of the number of events: a higher amount takes coins, a lower one (a failed refund, a dispute won on
 * appeal) returns them. `previousRefundedCents` is the refunded total reported before. `disputes` are those of the newest
 * read, for the alert; empty when they are not known. Must be called inside the transaction that locked the report.
 */
export async function applyRefundOrDispute(
  tx: Tx,
  purchase: Purchase,
  report: PaymentReport,
  {
    previousRefundedCents = 0,
    disputes = [],
  }: { previousRefundedCents?: number; disputes?: readonly DisputeDetails[] } = {},
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
  if (disputeStatus === "open") await alertAboutOpenDisputes(tx, purchase, disputes);
  if (!hasChanged) return;
  await alertIfOtherCurrency(tx, purchase, report);
  const refunded = await adjustPurchase(tx, "refund", purchase, { ...purchase, refundedCents });
  await adjustPurchase(tx, "dispute", refunded, { ...refunded, lostCents });
  if (disputeStatus !== purchase.disputeStatus) {
    await tx.update(coinPurchases).set({ disputeStatus }).where(eq(coinPurchases.id, purchase.id));
    if (disputeStatus !== "open") await alertAboutEndOfDispute(tx, purchase, report, lostCents);
  }
  await syncLostCoins(tx, purchase.userId);
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
  const lost = countLostCoins(current, calculateReturnedCents(target));
  const newlyOwedCoins = await postAdjustment(tx, kind, current, {
    cents,
    coins: lost.coins - current.recoveredCoins,
    welcomeCoins: lost.welcomeCoins - current.recoveredWelcomeCoins,
  });
  const isBorneByHouse = kind === "refund" && (await grantOwedCoins(tx, current, newlyOwedCoins));
  const change = {
    refundedCents: target.refundedCents,
    lostCents: target.lostCents,
    recoveredCoins: lost.coins,
    recoveredWelcomeCoins: lost.welcomeCoins,
  };
  await tx.update(coinPurchases).set(change).where(eq(coinPurchases.id, current.id));
  if (cents < 0) {
    const isClaimable =
      kind === "refund" &&
      (await failRefunds(tx, current, {
        failedCents: -cents,
        returnedCents: calculateReturnedCents(target),
      }));
    await alertAboutReturnedMoney(tx, kind, current, { cents: -cents, isClaimable });
    if (kind === "refund") await enqueueRefundFailedEmail(tx, current, -cents);
  }
  if (cents > 0 && kind === "refund")
    await enqueueRefundEmail(tx, current, {
      amountCents: cents,
      removedCoins: lost.coins - current.recoveredCoins,
      owedCoins: isBorneByHouse ? 0 : Math.max(0, newlyOwedCoins),
    });
  return { ...target, ...change };
}

/**
 * Posts money and coins that were lost, or that came back where they are negative. Lost coins leave the wallet, or what
 * the house has of a closed account, and the rest is owed. Returns the coins that are owed by it.
 */
async function postAdjustment(
  tx: Tx,
  kind: "refund" | "dispute",
  { id, userId: owner }: Purchase,
  lost: { cents: number; coins: number; welcomeCoins: number },
): Promise<number> {
  const wallet = await lockWallet(tx, owner);
  const availableCoins = wallet.balanceCoins + wallet.forfeitedCoins;
  const netCoins = availableCoins - wallet.owedCoins - lost.coins - lost.welcomeCoins;
  const owedCoins = Math.max(0, -netCoins) - wallet.owedCoins;
  const walletCoins = Math.max(0, netCoins) - availableCoins;
  const postings: Posting[] = [
    { account: "wallet", owner, unit: "coin", amount: walletCoins },
    { account: "owed", owner, unit: "coin", amount: -owedCoins },
    { account: "sold", unit: "coin", amount: lost.coins },
    { account: "welcome", unit: "coin", amount: lost.welcomeCoins },
    { account: "provider", unit: "cent", amount: -lost.cents },
    { account: "coin sales", unit: "cent", amount: lost.cents },
  ];
  const nonZero = postings.filter((posting) => posting.amount !== 0);
  if (nonZero.length === 0) return 0;
  const step = (await tx.$count(purchaseAdjustments, eq(purchaseAdjustments.purchaseId, id))) + 1;
  const transactionId = await postToLedger(tx, kind, `${id}:adjustment-${step}`, nonZero);
  if (transactionId === null)
    throw new Error(`adjustment ${step} of purchase ${id} exists already`);
  await tx
    .insert(purchaseAdjustments)
    .values({ purchaseId: id, transactionId, kind, ...lost, createdAt: now() });
  return owedCoins;
}

/**
 * Grants the coins that a buyer owes because of a refund, if the admin who requested it chose that the house bears
 * them. Returns whether they were granted.
 */
async function grantOwedCoins(tx: Tx, purchase: Purchase, owedCoins: number): Promise<boolean> {
  if (owedCoins <= 0) return false;
  const { id, userId: owner } = purchase;
  const [refund] = await tx
    .select()
    .from(purchaseRefunds)
    .where(
      and(
        eq(purchaseRefunds.purchaseId, id),
        inArray(purchaseRefunds.status, ["requested", "sent"]),
        eq(purchaseRefunds.isBorneByHouse, true),
        isNull(purchaseRefunds.grantTransactionId),
        // An earlier refund that left nothing owed has no grant, and is not the one that is applied.
        gt(
          sql`${purchaseRefunds.returnedCentsBefore} + ${purchaseRefunds.amountCents}`,
          calculateReturnedCents(purchase),
        ),
      ),
    );
  if (!refund) return false;
  const grantTransactionId = await postGrant(tx, owner, refund, {
    reference: `${owner}:${refund.id}`,
    owedCoins,
    walletCoins: 0,
    reason: refund.reason,
  });
  await tx
    .update(purchaseRefunds)
    .set({ grantTransactionId })
    .where(eq(purchaseRefunds.id, refund.id));
  return true;
}

type Grant = { reference: string; owedCoins: number; walletCoins: number; reason: string };

/** Posts coins that the house grants for a refund, or takes back where they are negative, and audits it. */
async function postGrant(
  tx: Tx,
  owner: string,
  refund: typeof purchaseRefunds.$inferSelect,
  { reference, owedCoins, walletCoins, reason }: Grant,
): Promise<number | null> {
  const amountCoins = owedCoins + walletCoins;
  const postings: Posting[] = [
    { account: "owed", owner, unit: "coin", amount: owedCoins },
    { account: "wallet", owner, unit: "coin", amount: walletCoins },
    { account: "granted", unit: "coin", amount: -amountCoins },
  ];
  const transactionId = await postToLedger(
    tx,
    "grant",
    reference,
    postings.filter(({ amount }) => amount !== 0),
  );
  await writeAudit(tx, {
    actorId: refund.requestedBy,
    action: "grant-coins",
    subject: reference,
    details: { userId: owner, amountCoins, repaidCoins: owedCoins, reason },
  });
  return transactionId;
}

/**
 * Records which refunds of a purchase failed later, and takes back what the house granted for them: the one of the
 * amount that came back, and the newest ones that are more than what is still refunded. Returns whether a claim code
 * covers their coins.
 */
async function failRefunds(
  tx: Tx,
  { id, userId: owner }: Purchase,
  { failedCents, returnedCents }: { failedCents: number; returnedCents: number },
): Promise<boolean> {
  const sent = await tx
    .select()
    .from(purchaseRefunds)
    .where(and(eq(purchaseRefunds.purchaseId, id), eq(purchaseRefunds.status, "sent")))
    .orderBy(desc(purchaseRefunds.createdAt));
  const match = sent.find(({ amountCents }) => amountCents === failedCents);
  let sentCents = sent.reduce((sum, { amountCents }) => sum + amountCents, 0);
  for (const refund of match ? [match, ...sent.filter((other) => other !== match)] : sent) {
    if (refund !== match && sentCents <= returnedCents) break;
    sentCents -= refund.amountCents;
    await tx
      .update(purchaseRefunds)
      .set({ status: "failed" })
      .where(eq(purchaseRefunds.id, refund.id));
    if (refund.grantTransactionId === null) continue;
    const { rows } = await tx.execute<{ coins: number }>(sql`
      select sum(amount)::integer as coins from ledger_postings
      where transaction_id = ${refund.grantTransactionId} and account = 'owed'`);
    const coins = rows[0]?.coins ?? 0;
    const wallet = await lockWallet(tx, owner);
    const walletCoins = Math.min(coins, wallet.balanceCoins + wallet.forfeitedCoins);
    await postGrant(tx, owner, refund, {
      reference: `${owner}:${refund.id}:failed`,
      owedCoins: walletCoins - coins,
      walletCoins: -walletCoins,
      reason: "The refund failed",
    });
  }
  return await failUnspentCoinRefund(tx, id);
}

async function enqueueRefundEmail(
  tx: Tx,
  { userId, coinPackTitle }: Purchase,
  refund: { amountCents: number; removedCoins: number; owedCoins: number },
): Promise<void> {
  const user = await readOpenUser(tx, userId);
  if (!user) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId,
    kind: "refunded",
    ...(await renderRefundEmail({ name: user.name, coinPackTitle, ...refund })),
  });
}

/** Emails the buyer, unless the account is closed, that a refund they know of did not arrive. */
export async function enqueueRefundFailedEmail(
  tx: Tx,
  { userId, coinPackTitle }: Purchase,
  amountCents: number,
): Promise<void> {
  const user = await readOpenUser(tx, userId);
  if (!user) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId,
    kind: "refund-failed",
    ...(await renderRefundFailedEmail({ name: user.name, coinPackTitle, amountCents })),
  });
}

async function readOpenUser(tx: Tx, userId: string): Promise<User | null> {
  const user = (await readUsers([userId], tx)).get(userId);
  return user && !user.isClosed ? user : null;
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

/** Resolves the alert about the disputes that have ended, and raises the one about a lost dispute. */
async function alertAboutEndOfDispute(
  tx: Tx,
  purchase: Purchase,
  { disputeStatus }: PaymentReport,
  lostCents: number,
): Promise<void> {
  await resolveAlertAbout(tx, { kind: "dispute", subject: purchase.id });
  if (disputeStatus === "lost")
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
