import { and, eq, gt } from "drizzle-orm";
import {
  readSessionToken,
  readTwoStep,
  readUsers,
  startSession,
  type Viewer,
} from "#accounts/accounts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { readRepaidCoins } from "#wallet/wallet.server.ts";
import { type Fulfilment, fulfilPurchase } from "./fulfil-purchase.server.ts";
import { GatewayError } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { hasGuestOrderToken } from "./guest-order-token.server.ts";
import { findOrder, type Order } from "./orders.server.ts";
import { findOpenAttempt } from "./payment-attempts.server.ts";
import { readRequestedRaceCard } from "./requested-race-card.server.ts";
import type { RequestedRaceCard } from "./requested-race-card.ts";
import { coinPurchases, orders, paymentAttempts, pendingRegistrations } from "./tables.server.ts";

/** What was ordered, shown while the payment is missing or has failed. */
export type OrderSummary = Pick<Order, "coinPackTitle" | "amountCents" | "coins"> & {
  /** The race card that the buyer wants to open. */
  raceCard: RequestedRaceCard | null;
  /** The payment of a guest also opens the race card. */
  isGuest: boolean;
  receiptTo: string | null;
};

/**
 * What is shown on return from the payment page: the state of the payment, "processing" while the provider cannot be
 * read, or why no state is shown. Only the buyer gets details of the order.
 */
export type CheckoutResult =
  | { state: "unknown-order" | "other-buyer" | "mismatch" }
  | { state: "processing" | "delayed" | "failed" | "expired"; order: OrderSummary }
  | { state: "unpaid"; checkoutUrl: string | null }
  | (Omit<OrderSummary, "isGuest" | "receiptTo"> & {
      state: "paid";
      /** The idempotency key for opening the race card. */
      idempotencyKey: string;
      isSignedIn: boolean;
      /** How many of the coins repaid what the buyer owed. */
      repaidCoins: number;
      guest: null | {
        outcome: NonNullable<Order["guestOutcome"]>;
        welcomeCoins: number;
        hasOpened: boolean;
      };
    });

/**
 * Resolves a checkout session on return from the payment page: credits it when it is paid and not yet
 * credited, and returns its state to the browser or user that started it. Signs a guest's browser in
 * once; the session cookie is then in `headers`.
 */
export async function resolveCheckout(
  sessionId: string,
  { request, viewer }: { request: Request; viewer: Viewer | null },
): Promise<{ result: CheckoutResult; headers?: Headers }> {
  const foundOrder = await findBySession(sessionId);
  if (!foundOrder) return { result: { state: "unknown-order" } };
  const outcome = await syncOrder(foundOrder, sessionId);
  const order = (await findOrder(foundOrder.id)) ?? foundOrder;
  const isBuyersBrowser = hasGuestOrderToken(request, order);
  const isOwner = isBuyersBrowser || (viewer !== null && viewer.id === order.userId);
  if (!isOwner) return { result: { state: "other-buyer" } };
  if (order.status !== "paid") return { result: await toUnpaidResult(order, outcome) };
  const headers = isBuyersBrowser && !viewer ? await signInOnce(request, order) : undefined;
  return {
    result: await toPaidResult(order, viewer !== null && viewer.id === order.userId),
    ...(headers ? { headers } : {}),
  };
}

const NEW_PAYMENT_MS = 30 * 60 * 1000;

/** Returns true if this user's payment on this checkout session was credited within the last half hour. */
export async function hasJustPaid(userId: string, sessionId: string): Promise<boolean> {
  const order = await findBySession(sessionId);
  if (order?.userId !== userId) return false;
  const [purchase] = await database()
    .select({ createdAt: coinPurchases.createdAt })
    .from(coinPurchases)
    .where(eq(coinPurchases.orderId, order.id));
  return purchase !== undefined && purchase.createdAt.getTime() > now().getTime() - NEW_PAYMENT_MS;
}

/** Limits reads of the provider per order; the page polls every two seconds. */
const PROVIDER_READ_LIMIT = { max: 60, seconds: 60 };

/** The characters that providers use in their ids. */
const SESSION_ID_PATTERN = /^[A-Za-z0-9_.=-]{1,255}$/;

async function findBySession(sessionId: string): Promise<Order | undefined> {
  if (!SESSION_ID_PATTERN.test(sessionId)) return undefined;
  const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
  if (order) return order;
  // An order has two pages if the answer to its first attempt was lost. The buyer may pay on either.
  const [attempt] = await database()
    .select({ orderId: paymentAttempts.orderId })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.sessionId, sessionId));
  return attempt && (await findOrder(attempt.orderId));
}

/** Returns null when the provider cannot be read now; the webhook or the reconciler resolves it later. */
async function syncOrder(order: Order, sessionId: string): Promise<Fulfilment | null> {
  if (order.status === "paid") return "already";
  if (!(await isWithinLimit(`read-checkout:${order.id}`, PROVIDER_READ_LIMIT))) return null;
  try {
    const session = await getGateway(order.provider).readCheckout(sessionId);
    return session ? await fulfilPurchase(session) : "unknown-order";
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log.warn(
      { order: order.id, error: error.message },
      "failed to read checkout session on return",
    );
    return null;
  }
}

async function toUnpaidResult(order: Order, outcome: Fulfilment | null): Promise<CheckoutResult> {
  switch (outcome) {
    case "unpaid":
      return {
        state: outcome,
        checkoutUrl: (await findOpenAttempt(order.id))?.checkoutUrl ?? null,
      };
    case "delayed":
    case "failed":
    case "expired":
      return { state: outcome, order: await summarise(order) };
    case "mismatch":
    case "unknown-order":
      return { state: outcome };
    default:
      return {
        state: order.status === "delayed" ? "delayed" : "processing",
        order: await summarise(order),
      };
  }
}

async function summarise(order: Order): Promise<OrderSummary> {
  return {
    coinPackTitle: order.coinPackTitle,
    amountCents: order.amountCents,
    coins: order.coins,
    raceCard: await readRequestedRaceCard(order.raceCardId, order.userId),
    isGuest: order.userId === null,
    receiptTo: await readEmail(order),
  };
}

async function readEmail(order: Order): Promise<string | null> {
  if (order.userId) return (await readUsers([order.userId])).get(order.userId)?.email ?? null;
  const [guest] = await database()
    .select({ email: pendingRegistrations.email })
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  return guest?.email ?? null;
}

async function toPaidResult(order: Order, isSignedIn: boolean): Promise<CheckoutResult> {
  const [purchase] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.orderId, order.id));
  return {
    state: "paid",
    coinPackTitle: order.coinPackTitle,
    amountCents: order.amountCents,
    coins: order.coins,
    raceCard: await readRequestedRaceCard(order.raceCardId, order.userId),
    idempotencyKey: `order:${order.id}`,
    isSignedIn,
    repaidCoins: purchase ? await readRepaidCoins(purchase.transactionId) : 0,
    guest: order.guestOutcome && {
      outcome: order.guestOutcome,
      welcomeCoins: purchase?.welcomeCoins ?? 0,
      hasOpened: purchase?.openedRaceCardId != null,
    },
  };
}

/** Signs the buyer in once: the request that clears `signInUntil` gets the session. */
async function signInOnce(request: Request, order: Order): Promise<Headers | undefined> {
  const [claimedOrder] = await database()
    .update(orders)
    .set({ signInUntil: null })
    .where(and(eq(orders.id, order.id), gt(orders.signInUntil, now())))
    .returning({ userId: orders.userId });
  if (!claimedOrder?.userId || (await readTwoStep(claimedOrder.userId))) return undefined;
  return await startSession(claimedOrder.userId, { currentToken: readSessionToken(request) });
}
