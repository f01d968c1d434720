import { eq } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueue } from "#platform/queue.server.ts";
import { lockWallet, type Posting, postToLedger } from "#wallet/wallet.server.ts";
import { applyRefundOrDispute } from "./apply-refund-or-dispute.server.ts";
import type { CheckoutDetails } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { findOrder, type Order } from "./orders.server.ts";
import { isCheckoutOfOrder } from "./payment-attempts.server.ts";
import { lockReport } from "./payment-report.server.ts";
import type { UnpaidState } from "./payment-state.ts";
import { enqueueDelayedPaymentEmail, sendPurchaseEmails } from "./purchase-emails.server.ts";
import type { Purchase } from "./purchases.server.ts";
import { applyGuestDeal, type Buyer, resolveBuyer } from "./resolve-guest.server.ts";
import { syncLostCoins } from "./sync-lost-coins.server.ts";
import { syncPaymentJob } from "./sync-payment.server.ts";
import { coinPurchases, orders, pendingRegistrations } from "./tables.server.ts";
import { listUnspentCoins } from "./unspent-coins/list-unspent-coins.server.ts";
import { requestRefunds } from "./unspent-coins/refund-unspent-coins.server.ts";
import { type EventKey, markEventHandled } from "./webhook-events.server.ts";

/** What applying a checkout session did: credited a payment now or before, or refused it. Otherwise the order's state. */
export type Fulfilment = UnpaidState | "credited" | "already" | "mismatch" | "unknown-order";

/**
 * Applies the state of a checkout session to its order, in one transaction. A paid session is credited
 * exactly once, regardless of caller, order and number of calls; an unpaid one is never credited.
 * `sendsReceipt` is false for demo history.
 */
export async function fulfilPurchase(
  session: CheckoutDetails,
  { event, sendsReceipt = true }: { event?: EventKey; sendsReceipt?: boolean } = {},
): Promise<Fulfilment> {
  return await transaction(async (tx) => {
    const order = await findOrder(session.orderId, tx);
    const outcome = order
      ? await resolveOrder(tx, order, session, { sendsReceipt })
      : await refuseUnknownOrder(tx, session);
    if (event) await markEventHandled(tx, event, outcome);
    return outcome;
  });
}

async function resolveOrder(
  tx: Tx,
  order: Order,
  session: CheckoutDetails,
  { sendsReceipt }: { sendsReceipt: boolean },
): Promise<Fulfilment> {
  if (order.status === "paid" && order.sessionId === session.sessionId) return "already";
  const difference = await describeMismatch(tx, order, session);
  if (difference) return await refuseMismatch(tx, order, session, difference);
  if (session.status !== "paid") return await resolveUnpaid(tx, order, session, session.status);
  const buyer = await resolveBuyer(tx, order);
  if (!buyer) return await refuseMismatch(tx, order, session, "its guest is no longer known");
  const purchaseId = await credit(tx, order, session, buyer);
  if (sendsReceipt) await enqueue(tx, sendPurchaseEmails, { purchaseId });
  return "credited";
}

/** Returns a description of how a session differs from its order; null when they match. */
async function describeMismatch(
  tx: Tx,
  order: Order,
  session: CheckoutDetails,
): Promise<string | null> {
  if (order.provider !== session.provider) return "another provider";
  if (!(await isExpectedSession(tx, order, session))) return "another session";
  if (session.isLive !== getGateway(session.provider).isLiveMode())
    return session.isLive ? "live money" : "test money";
  if (session.amountCents !== order.amountCents) return "another amount";
  if (session.currency !== order.currency) return "another currency";
  return null;
}

/**
 * Returns whether a session may decide its order: the order's own, or one of an earlier attempt that was paid
 * after all. The end of an earlier attempt says nothing about the order.
 */
async function isExpectedSession(tx: Tx, order: Order, session: CheckoutDetails): Promise<boolean> {
  if (order.sessionId === null || order.sessionId === session.sessionId) return true;
  if (session.status !== "paid" || order.status === "paid") return false;
  return await isCheckoutOfOrder(tx, order.id, session);
}

async function refuseMismatch(
  tx: Tx,
  order: Order,
  session: CheckoutDetails,
  difference: string,
): Promise<Fulfilment> {
  // Without a payment there is nothing to investigate.
  if (session.status !== "paid") return "mismatch";
  await raiseAlert(
    {
      kind: "payment-mismatch",
      subject: session.sessionId,
      message: `Session ${session.sessionId} was paid but doesn't match order ${order.id}: ${difference}. No coins were added.`,
    },
    tx,
  );
  await tx
    .update(orders)
    .set({ note: `payment does not match: ${difference}`, updatedAt: now() })
    .where(eq(orders.id, order.id));
  return "mismatch";
}

async function refuseUnknownOrder(tx: Tx, session: CheckoutDetails): Promise<Fulfilment> {
  if (session.status === "paid")
    await raiseAlert(
      {
        kind: "payment-without-order",
        subject: session.sessionId,
        message: `Session ${session.sessionId} was paid but has no matching order. No coins were added.`,
      },
      tx,
    );
  return "unknown-order";
}

async function resolveUnpaid(
  tx: Tx,
  order: Order,
  session: CheckoutDetails,
  reportedStatus: UnpaidState,
): Promise<Fulfilment> {
  if (order.status === "failed" || order.status === "expired") return order.status;
  const wasDelayed = order.status === "delayed";
  // An open page says nothing about a delayed payment.
  const nextStatus = wasDelayed && reportedStatus === "unpaid" ? "delayed" : reportedStatus;
  await tx
    .update(orders)
    .set({ status: nextStatus, sessionId: session.sessionId, updatedAt: now() })
    .where(eq(orders.id, order.id));
  if (nextStatus === "delayed" ? !wasDelayed : nextStatus === "failed" && wasDelayed)
    await enqueueDelayedPaymentEmail(
      tx,
      { ...order, sessionId: session.sessionId },
      { hasFailed: nextStatus === "failed" },
    );
  if (nextStatus === "failed" || nextStatus === "expired")
    await tx
      .update(pendingRegistrations)
      .set({ passwordHash: null })
      .where(eq(pendingRegistrations.orderId, order.id));
  return nextStatus;
}

async function credit(
  tx: Tx,
  order: Order,
  session: CheckoutDetails,
  buyer: Buyer,
): Promise<string> {
  // Locked before crediting, so that a concurrent refund report waits for the purchase.
  const report = session.paymentId
    ? await lockReport(tx, { provider: session.provider, paymentId: session.paymentId })
    : null;
  const { owedCoins, isFrozen } = await lockWallet(tx, buyer.userId);
  const repaidCoins = Math.min(owedCoins, order.coins);
  const transactionId = await postToLedger(
    tx,
    "purchase",
    session.sessionId,
    purchasePostings(buyer.userId, order, repaidCoins),
  );
  if (transactionId === null)
    throw new Error(`session ${session.sessionId} was posted, but its order is not fulfilled`);

  const guestDeal = order.userId === null ? await applyGuestDeal(tx, order, session, buyer) : null;
  const [purchase] = await tx
    .insert(coinPurchases)
    .values({
      orderId: order.id,
      userId: buyer.userId,
      coinPackTitle: order.coinPackTitle,
      coins: order.coins,
      amountCents: order.amountCents,
      currency: order.currency,
      provider: session.provider,
      sessionId: session.sessionId,
      paymentId: session.paymentId,
      cardFingerprint: session.cardFingerprint,
      transactionId,
      openedRaceCardId: guestDeal?.openedRaceCardId ?? null,
      welcomeCoins: guestDeal?.welcomeCoins ?? 0,
      createdAt: now(),
    })
    .returning();
  if (!purchase) throw new Error("the purchase was not stored");
  await tx
    .update(orders)
    .set({
      status: "paid",
      userId: buyer.userId,
      sessionId: session.sessionId,
      guestOutcome: guestDeal?.outcome ?? null,
      signInUntil: guestDeal?.signInUntil ?? null,
      note: null,
      updatedAt: now(),
    })
    .where(eq(orders.id, order.id));
  await tx.delete(pendingRegistrations).where(eq(pendingRegistrations.orderId, order.id));
  if (report) await applyRefundOrDispute(tx, purchase, report);
  if (report?.disputeStatus === "open") {
    const { provider, paymentId } = report;
    await enqueue(tx, syncPaymentJob, { provider, paymentId });
  }
  await refundIfClosed(tx, purchase, order.coins - repaidCoins);
  // The new coins can pay for sales that lack coins, or would if an open dispute were lost.
  if (owedCoins > 0 || isFrozen) await syncLostCoins(tx, purchase.userId);
  return purchase.id;
}

/** Refunds a buyer who closed the account before the payment arrived, and alerts the operator. */
async function refundIfClosed(tx: Tx, purchase: Purchase, coins: number): Promise<void> {
  const user = (await readUsers([purchase.userId], tx)).get(purchase.userId);
  if (!user?.isClosed) return;
  const unspentCoins = await listUnspentCoins(purchase.userId, coins, tx);
  await requestRefunds(
    tx,
    purchase.userId,
    unspentCoins.filter(({ purchaseId }) => purchaseId === purchase.id),
  );
  await raiseAlert(
    {
      kind: "payment-of-closed-account",
      subject: purchase.id,
      message: `Session ${purchase.sessionId} was paid after the buyer closed their account. Its unspent coins are being refunded.`,
    },
    tx,
  );
}

/** Returns the postings of a purchase: owed coins are repaid first, the rest goes to the wallet. */
function purchasePostings(
  owner: string,
  order: { coins: number; amountCents: number },
  repaidCoins: number,
): Posting[] {
  const postings: Posting[] = [
    { account: "owed", owner, unit: "coin", amount: repaidCoins },
    { account: "wallet", owner, unit: "coin", amount: order.coins - repaidCoins },
    { account: "sold", unit: "coin", amount: -order.coins },
    { account: "provider", unit: "cent", amount: order.amountCents },
    { account: "coin sales", unit: "cent", amount: -order.amountCents },
  ];
  return postings.filter((posting) => posting.amount !== 0);
}
