import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { env } from "#platform/env.server.ts";
import { readSiteCookie, writeCookie } from "#platform/http/cookies.server.ts";

const MAX_AGE_SECONDS = 24 * 60 * 60;

/** Returns the hash of an order's token, as stored in the database. */
export function hashGuestOrderToken(orderId: string): string {
  return hash(createToken(orderId));
}

/** Returns the Set-Cookie header that gives a guest's browser the token of its order. */
export function createGuestOrderCookie(orderId: string): string {
  return writeCookie(toCookieName(orderId), createToken(orderId), MAX_AGE_SECONDS);
}

/** Returns whether the request comes from the browser that created the order. */
export function hasGuestOrderToken(
  request: Request,
  order: { id: string; guestTokenHash: string | null },
): boolean {
  const token = readSiteCookie(request.headers.get("cookie"), toCookieName(order.id));
  if (token === null || order.guestTokenHash === null) return false;
  return timingSafeEqual(Buffer.from(hash(token)), Buffer.from(order.guestTokenHash));
}

/** One cookie per order, so that purchases in two tabs do not overwrite each other. */
function toCookieName(orderId: string): string {
  return `order-${orderId.slice(-12)}`;
}

/** Derived by HMAC instead of random, so that a repeated request sets the same token. */
function createToken(orderId: string): string {
  return createHmac("sha256", env().authSecret)
    .update(`guest-order:${orderId}`)
    .digest("base64url");
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
