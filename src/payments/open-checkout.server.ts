import { formatCoins } from "#domain/coins.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { log } from "#platform/log.server.ts";
import { addCancelledParameter } from "./cancelled-path.ts";
import { GatewayError } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import type { Order } from "./orders.server.ts";
import {
  findOpenAttempt,
  recordCheckout,
  recordNoCheckout,
  startAttempt,
} from "./payment-attempts.server.ts";

const MINUTE_MS = 60 * 1000;
/**
 * A payment page can be opened for this long after its order was created. The first checkout session
 * expires at the same time.
 */
const CHECKOUT_LIFETIME_MS = 60 * MINUTE_MS;
/**
 * A checkout session that is created this long after its order expires later, because the provider
 * rejects an expiry less than half an hour ahead.
 */
const LATE_CHECKOUT_AFTER_MS = 25 * MINUTE_MS;
const LATE_CHECKOUT_LIFETIME_MS = 120 * MINUTE_MS;

export type OpenCheckoutResult =
  | { ok: true; redirectUrl: string; sessionId: string }
  | { ok: false; refusal: "checkout-expired" | "no-checkout-url" | "provider-unavailable" };

/**
 * Creates a checkout session for a committed order and returns the URL of its payment page. Returns
 * the same page for the same order until it expires, and the success page if the order is already
 * fulfilled. Must be called outside any transaction because it calls the provider.
 */
export async function openCheckout(
  order: Order,
  { email, returnTo }: { email: string; returnTo: string },
): Promise<OpenCheckoutResult> {
  if (order.status === "fulfilled" && order.sessionId)
    return {
      ok: true,
      redirectUrl: buildSuccessUrl(order.sessionId),
      sessionId: order.sessionId,
    };
  const orderAgeMs = now().getTime() - order.createdAt.getTime();
  const openAttempt = await findOpenAttempt(order.id);
  const openUntil = openAttempt?.expiresAt ?? addToCreationTime(order, CHECKOUT_LIFETIME_MS);
  if (order.status !== "pending" || now() >= openUntil)
    return { ok: false, refusal: "checkout-expired" };
  if (openAttempt?.sessionId && openAttempt.checkoutUrl)
    return { ok: true, redirectUrl: openAttempt.checkoutUrl, sessionId: openAttempt.sessionId };

  // A second attempt happens only when the first response was lost, so no browser has the first URL.
  const number = orderAgeMs < LATE_CHECKOUT_AFTER_MS ? 1 : 2;
  const expiresAt = addToCreationTime(
    order,
    number === 1 ? CHECKOUT_LIFETIME_MS : LATE_CHECKOUT_LIFETIME_MS,
  );
  await startAttempt(order, { number, expiresAt });
  const attempt = { orderId: order.id, number };
  try {
    const checkout = await getGateway(order.provider).createCheckout({
      orderId: order.id,
      attempt: number,
      title: order.coinPackTitle,
      // A guest's order has no user yet. Its payment also opens the race card.
      description:
        order.userId === null
          ? `Race card, plus ${formatCoins(order.coins)} for your account`
          : formatCoins(order.coins),
      amountCents: order.amountCents,
      email,
      buildSuccessUrl,
      cancelUrl: new URL(addCancelledParameter(returnTo), env().appUrl).href,
      expiresAt,
    });
    if (!checkout.url) return { ok: false, refusal: "no-checkout-url" };
    await recordCheckout(attempt, checkout);
    return { ok: true, redirectUrl: checkout.url, sessionId: checkout.sessionId };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // After an unknown outcome the reconciler asks the provider whether it has a checkout.
    if (error.problem !== "unknown-outcome") await recordNoCheckout(attempt);
    log.warn({ order: order.id, error: error.message }, "failed to create checkout session");
    return { ok: false, refusal: "provider-unavailable" };
  }
}

function addToCreationTime(order: Order, milliseconds: number): Date {
  return new Date(order.createdAt.getTime() + milliseconds);
}

/** Returns the URL to which the provider redirects after payment. */
function buildSuccessUrl(sessionId: string): string {
  return `${env().appUrl}/success?session_id=${sessionId}`;
}
