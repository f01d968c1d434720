import { setTimeout } from "node:timers/promises";
import { formatCoins } from "#domain/coins.ts";
import { toSameOriginPath } from "#domain/same-origin-path.ts";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { log } from "#platform/log.server.ts";
import { GatewayError } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import { CANCELLED_PARAMETER } from "./notice-parameters.ts";
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
/** How many attempts an order may need because the addresses of earlier ones were lost. */
const MAX_ATTEMPTS = 5;
/** How long after the start of an attempt a concurrent request may still get its answer. */
const ANSWER_MS = 10_000;
const POLL_MS = 200;

export type OpenedCheckout = { ok: true; redirectUrl: string; sessionId: string };

/** Why a committed order has no payment page. */
export type OpenRefusal = "checkout-expired" | "no-checkout-url" | "provider-unavailable";

type OpenCheckoutResult = OpenedCheckout | { ok: false; refusal: OpenRefusal };

/**
 * Creates a checkout session for a committed order and returns the URL of its payment page. Returns
 * the same page for the same order until it expires, and the page of the purchase if the order is
 * paid or its payment is delayed. Must be called outside any transaction because it calls the provider.
 */
export async function openCheckout(
  order: Order,
  { email, returnTo }: { email: string; returnTo: string },
): Promise<OpenCheckoutResult> {
  if ((order.status === "paid" || order.status === "delayed") && order.sessionId)
    return {
      ok: true,
      redirectUrl: buildSuccessUrl(order.sessionId),
      sessionId: order.sessionId,
    };
  const orderAgeMs = now().getTime() - order.createdAt.getTime();
  const openAttempt = await findOpenAttempt(order.id);
  const openUntil = openAttempt?.expiresAt ?? addToCreationTime(order, CHECKOUT_LIFETIME_MS);
  if (order.status !== "unpaid" || now() >= openUntil)
    return { ok: false, refusal: "checkout-expired" };
  if (openAttempt?.sessionId && openAttempt.checkoutUrl)
    return { ok: true, redirectUrl: openAttempt.checkoutUrl, sessionId: openAttempt.sessionId };

  // A late attempt happens only when the first response was lost, so no browser has the first URL.
  const isLate = orderAgeMs >= LATE_CHECKOUT_AFTER_MS;
  const expiresAt = addToCreationTime(
    order,
    isLate ? LATE_CHECKOUT_LIFETIME_MS : CHECKOUT_LIFETIME_MS,
  );
  for (let number = isLate ? 2 : 1; number <= MAX_ATTEMPTS; number += 1) {
    const result = await tryAttempt(order, { number, email, returnTo, expiresAt });
    if (result !== "lost-address") return result;
  }
  return { ok: false, refusal: "no-checkout-url" };
}

/**
 * Opens one attempt. Returns "lost-address" when the provider has its page but not the address, because an earlier
 * answer was lost: the page stays known, in case it is paid, and the next attempt gets another one.
 */
async function tryAttempt(
  order: Order,
  {
    number,
    email,
    returnTo,
    expiresAt,
  }: { number: number; email: string; returnTo: string; expiresAt: Date },
): Promise<OpenCheckoutResult | "lost-address"> {
  const gateway = getGateway(order.provider);
  const attempt = { orderId: order.id, number };
  await startAttempt(order, { number, expiresAt });
  try {
    const checkout = await gateway.createCheckout({
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
      isCardOnly: order.userId === null,
    });
    const { sessionId, url, hasLostUrl } = checkout;
    if (!url && !hasLostUrl) return { ok: false, refusal: "no-checkout-url" };
    await recordCheckout(attempt, checkout);
    if (url) return { ok: true, redirectUrl: url, sessionId };
    if ((await gateway.readCheckout(sessionId))?.status === "paid")
      return { ok: true, redirectUrl: buildSuccessUrl(sessionId), sessionId };
    const redirectUrl = await waitForAddress(attempt);
    return redirectUrl ? { ok: true, redirectUrl, sessionId } : "lost-address";
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // After an unknown outcome the reconciler asks the provider whether it has a checkout.
    if (error.problem !== "unknown-outcome") await recordNoCheckout(attempt);
    log.warn({ order: order.id, error: error.message }, "failed to create checkout session");
    return { ok: false, refusal: "provider-unavailable" };
  }
}

/** Returns the address of a page that another request is creating; null when it gets none either. */
async function waitForAddress(attempt: {
  orderId: string;
  number: number;
}): Promise<string | null> {
  for (let waitedMs = 0; waitedMs <= ANSWER_MS; waitedMs += POLL_MS) {
    const open = await findOpenAttempt(attempt.orderId);
    if (open?.number !== attempt.number) return null;
    if (open.checkoutUrl) return open.checkoutUrl;
    if (now().getTime() - open.createdAt.getTime() >= ANSWER_MS) return null;
    await setTimeout(POLL_MS);
  }
  return null;
}

function addToCreationTime(order: Order, milliseconds: number): Date {
  return new Date(order.createdAt.getTime() + milliseconds);
}

/** Returns the URL to which the provider redirects after payment. */
function buildSuccessUrl(sessionId: string): string {
  return `${env().appUrl}/success?session_id=${sessionId}`;
}

/** Returns a path of this site with the `cancelled` parameter. */
function addCancelledParameter(returnTo: string): string {
  const [path = "/", hash] = toSameOriginPath(returnTo).split("#");
  const query = path.split("?")[1];
  const pathWithParameter = new URLSearchParams(query).has(CANCELLED_PARAMETER)
    ? path
    : `${path}${query === undefined ? "?" : "&"}${CANCELLED_PARAMETER}`;
  return hash === undefined ? pathWithParameter : `${pathWithParameter}#${hash}`;
}
