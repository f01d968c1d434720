import { eq } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { type Fulfilment, fulfilPurchase } from "./fulfil-purchase.server.ts";
import { GatewayError, type PaymentGateway } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { findOrder, type Order } from "./orders.server.ts";
import { findLostCheckout, LOST_AFTER_MS } from "./payment-attempts.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { coinPurchases, paymentAttempts } from "./tables.server.ts";

type AskResult =
  | { ok: true; outcome: Fulfilment }
  | { ok: false; refusal: "no-such-order" | "no-payment-page" | "unreachable" };

/** From what matters most to the customer. */
const OUTCOMES: readonly Fulfilment[] = ["mismatch", "credited", "already", "delayed"];

/**
 * Asks the provider about every payment page of an order, for an admin, and applies what it says as the reconciler does:
 * a paid order is credited once, and refunds and disputes of a credited one are brought up to date.
 */
export async function askProvider(actorId: string, orderId: string): Promise<AskResult> {
  const order = await findOrder(orderId);
  if (!order) return { ok: false, refusal: "no-such-order" };
  const outcomes: Fulfilment[] = [];
  try {
    for await (const outcome of applyCheckouts(getGateway(order.provider), order))
      outcomes.push(outcome);
    await syncPaymentOf(order);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // What was applied before is reported, because it stays.
    if (outcomes.length === 0) return { ok: false, refusal: "unreachable" };
  }
  const outcome = OUTCOMES.find((each) => outcomes.includes(each)) ?? outcomes.at(-1);
  if (!outcome) return { ok: false, refusal: "no-payment-page" };
  await transaction((tx) =>
    writeAudit(tx, { actorId, action: "ask-provider", subject: order.id, details: { outcome } }),
  );
  return { ok: true, outcome };
}

async function* applyCheckouts(gateway: PaymentGateway, order: Order): AsyncGenerator<Fulfilment> {
  const attempts = await database()
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, order.id));
  const sessionIds = new Set([order.sessionId]);
  for (const attempt of attempts) {
    const isLost =
      attempt.state === "started" && now().getTime() - attempt.createdAt.getTime() > LOST_AFTER_MS;
    sessionIds.add(isLost ? await findLostCheckout(gateway, attempt) : attempt.sessionId);
  }
  for (const sessionId of sessionIds) {
    const session = sessionId && (await gateway.readCheckout(sessionId));
    if (!session) continue;
    const outcome = await fulfilPurchase(session);
    // An earlier page that was not paid says nothing about the order.
    if (outcome !== "mismatch" || session.status === "paid") yield outcome;
  }
}

async function syncPaymentOf({ id }: Order): Promise<void> {
  const [purchase] = await database()
    .select({ provider: coinPurchases.provider, paymentId: coinPurchases.paymentId })
    .from(coinPurchases)
    .where(eq(coinPurchases.orderId, id));
  if (purchase?.paymentId) await syncPayment({ ...purchase, paymentId: purchase.paymentId });
}
