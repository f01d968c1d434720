import { and, eq, isNull } from "drizzle-orm";
import { formatCoins } from "#domain/coins.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { log } from "#platform/log.server.ts";
import { cancelledPath } from "./cancelled-path.ts";
import type { Order } from "./find-order.server.ts";
import { createCheckout, GatewayError } from "./gateway.server.ts";
import { orders } from "./tables.server.ts";

/** How long a payment page stays open; the provider wants half an hour at least. */
const OPEN_FOR_MS = 60 * 60 * 1000;

export type Checkout =
  | { ok: true; checkoutUrl: string; sessionId: string }
  | { ok: false; refusal: "checkout-over" | "no-checkout-url" | "provider-away" };

/**
 * The provider's page for an order that is written, outside any transaction. The same order again is
 * led to the same page as long as that is open.
 */
export async function openCheckout(
  order: Order,
  { email, returnTo }: { email: string; returnTo: string },
): Promise<Checkout> {
  const expiresAt = new Date(order.createdAt.getTime() + OPEN_FOR_MS);
  if (order.status === "fulfilled" && order.sessionId)
    return {
      ok: true,
      checkoutUrl: successUrl(order.sessionId),
      sessionId: order.sessionId,
    };
  if (order.status !== "pending" || now() >= expiresAt)
    return { ok: false, refusal: "checkout-over" };
  if (order.sessionId && order.checkoutUrl)
    return { ok: true, checkoutUrl: order.checkoutUrl, sessionId: order.sessionId };

  try {
    const { sessionId, url } = await createCheckout({
      orderId: order.id,
      title: order.packageTitle,
      description: order.raceCardId
        ? `Opens the race card and adds ${formatCoins(order.coins)}`
        : formatCoins(order.coins),
      amountCents: order.amountCents,
      email,
      successUrl: successUrl("{CHECKOUT_SESSION_ID}"),
      cancelUrl: new URL(cancelledPath(returnTo), env().appUrl).href,
      expiresAt,
    });
    if (!url) return { ok: false, refusal: "no-checkout-url" };
    await database()
      .update(orders)
      .set({ sessionId, checkoutUrl: url, updatedAt: now() })
      .where(and(eq(orders.id, order.id), isNull(orders.checkoutUrl)));
    return { ok: true, checkoutUrl: url, sessionId };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log.warn({ order: order.id, error: error.message }, "no checkout to be had");
    return { ok: false, refusal: "provider-away" };
  }
}

/** Where the provider sends the customer after paying; the braces are its own placeholder. */
function successUrl(sessionId: string): string {
  return `${env().appUrl}/success?session_id=${sessionId}`;
}
