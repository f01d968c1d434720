import { and, eq, gt } from "drizzle-orm";
import {
  readTwoStep,
  readUsers,
  sessionToken,
  startSession,
  type Viewer,
} from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import { withinLimit } from "#platform/rate-limits.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { type Fulfilment, fulfilPurchase } from "./fulfil-purchase.server.ts";
import { hasGuestOrderToken } from "./guest-order-token.server.ts";
import { findOrder, type Order } from "./orders.server.ts";
import { GatewayError, readSession } from "./stripe/gateway.server.ts";
import { coinPurchases, orders, pendingRegistrations } from "./tables.server.ts";

/** What was ordered, as whoever ordered it is told where no payment has come of it, or none yet. */
export type OrderSummary = {
  packageName: string;
  amountCents: number;
  coins: number;
  /** The card a guest pays for. */
  raceCard: { venue: string; raceDate: string; tipster: string } | null;
  receiptTo: string | null;
};

/** What a return from the payment page is told; of what was ordered only to whom it belongs. */
export type CheckoutResult =
  | { state: "unknown" | "foreign" | "mismatch" }
  | { state: "processing" | "awaiting" | "failed" | "expired"; order: OrderSummary }
  | { state: "unpaid"; checkoutUrl: string | null }
  | {
      state: "paid";
      packageName: string;
      amountCents: number;
      coins: number;
      guest: null | {
        outcome: NonNullable<Order["guestOutcome"]>;
        welcomeCoins: number;
        raceCardId: string | null;
        hasOpened: boolean;
        isSignedIn: boolean;
      };
    };

/**
 * Looks at a checkout session for whoever has come back from it: credits it where it is paid and not
 * credited yet, and tells the browser it belongs to what became of it. A guest's browser is signed in
 * by this, once; then the headers carry the session.
 */
export async function resolveCheckout(
  sessionId: string,
  { request, viewer }: { request: Request; viewer: Viewer | null },
): Promise<{ result: CheckoutResult; headers?: Headers }> {
  const before = await findBySession(sessionId);
  if (!before) return { result: { state: "unknown" } };
  const outcome = await settle(before, sessionId);
  const order = (await findOrder(before.id)) ?? before;
  const isBrowser = hasGuestOrderToken(request, order);
  const isTheirs = isBrowser || (viewer !== null && viewer.id === order.userId);
  if (!isTheirs) return { result: { state: "foreign" } };
  if (order.status !== "fulfilled") return { result: await unfulfilled(order, outcome) };
  const headers = isBrowser && !viewer ? await signInOnce(request, order) : undefined;
  return {
    result: await paid(order, viewer !== null && viewer.id === order.userId),
    ...(headers ? { headers } : {}),
  };
}

/** The page asks by itself every two seconds; more than that need not reach the provider. */
const LOOKS = { max: 60, seconds: 60 };

const SESSION_ID = /^cs_[A-Za-z0-9_]{1,250}$/;

async function findBySession(sessionId: string): Promise<Order | undefined> {
  if (!SESSION_ID.test(sessionId)) return undefined;
  const [order] = await database().select().from(orders).where(eq(orders.sessionId, sessionId));
  return order;
}

/** Null where the provider could not be asked: then only the webhook, later, can tell. */
async function settle(order: Order, sessionId: string): Promise<Fulfilment | null> {
  if (order.status === "fulfilled") return "already";
  if (!(await withinLimit(`look-at-checkout:${order.id}`, LOOKS))) return null;
  try {
    const session = await readSession(sessionId);
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

async function unfulfilled(order: Order, outcome: Fulfilment | null): Promise<CheckoutResult> {
  switch (outcome) {
    case "awaiting-payment":
      return { state: "awaiting", order: await summarise(order) };
    case "open":
      return { state: "unpaid", checkoutUrl: order.checkoutUrl };
    case "failed":
    case "expired":
      return { state: outcome, order: await summarise(order) };
    case "mismatch":
      return { state: outcome };
    case "unknown-order":
      return { state: "unknown" };
    default:
      return {
        state: order.status === "awaiting_payment" ? "awaiting" : "processing",
        order: await summarise(order),
      };
  }
}

async function summarise(order: Order): Promise<OrderSummary> {
  const head = order.raceCardId
    ? (await readRaceCardSummaries([order.raceCardId])).get(order.raceCardId)
    : undefined;
  return {
    packageName: order.packageTitle,
    amountCents: order.amountCents,
    coins: order.coins,
    raceCard: head
      ? { venue: head.venue.name, raceDate: head.raceDate, tipster: head.creator.name }
      : null,
    receiptTo: await addressOf(order),
  };
}

async function addressOf(order: Order): Promise<string | null> {
  if (order.userId) return (await readUsers([order.userId])).get(order.userId)?.email ?? null;
  const [guest] = await database()
    .select({ email: pendingRegistrations.email })
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.orderId, order.id));
  return guest?.email ?? null;
}

async function paid(order: Order, isSignedIn: boolean): Promise<CheckoutResult> {
  const [purchase] = await database()
    .select()
    .from(coinPurchases)
    .where(eq(coinPurchases.orderId, order.id));
  return {
    state: "paid",
    packageName: order.packageTitle,
    amountCents: order.amountCents,
    coins: order.coins,
    guest: order.guestOutcome && {
      outcome: order.guestOutcome,
      welcomeCoins: purchase?.welcomeCoins ?? 0,
      raceCardId: order.raceCardId,
      hasOpened: purchase?.openedRaceCardId != null,
      isSignedIn,
    },
  };
}

/** Whoever takes the mark off the order first is signed in; nobody is after that. */
async function signInOnce(request: Request, order: Order): Promise<Headers | undefined> {
  const [taken] = await database()
    .update(orders)
    .set({ signInUntil: null })
    .where(and(eq(orders.id, order.id), gt(orders.signInUntil, now())))
    .returning({ userId: orders.userId });
  if (!taken?.userId || (await readTwoStep(taken.userId))) return undefined;
  return await startSession(taken.userId, { currentToken: sessionToken(request) });
}
