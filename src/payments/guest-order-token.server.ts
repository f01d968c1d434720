import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readOwnCookie, writeCookie } from "#identity/identity.server.ts";
import { env } from "#platform/env.server.ts";

const KEPT_SECONDS = 24 * 60 * 60;

/** What the database keeps of the handle of a guest's order. */
export function guestOrderTokenHash(orderId: string): string {
  return hash(handleOf(orderId));
}

/** The Set-Cookie line that gives the browser which began a guest's order the handle to it. */
export function setGuestOrderToken(orderId: string): string {
  return writeCookie(nameOf(orderId), handleOf(orderId), KEPT_SECONDS);
}

/** Whether this request comes from the browser that began the order. */
export function hasGuestOrderToken(
  request: Request,
  order: { id: string; browserHash: string | null },
): boolean {
  const handle = readOwnCookie(request.headers.get("cookie"), nameOf(order.id));
  if (handle === null || order.browserHash === null) return false;
  return timingSafeEqual(Buffer.from(hash(handle)), Buffer.from(order.browserHash));
}

/** Each order has its own, so that two cards bought in two tabs do not put each other out. */
function nameOf(orderId: string): string {
  return `order-${orderId.slice(-12)}`;
}

/** Signed, not drawn: the form sent twice gives the same browser the same handle. */
function handleOf(orderId: string): string {
  return createHmac("sha256", env().authSecret)
    .update(`guest-order:${orderId}`)
    .digest("base64url");
}

function hash(handle: string): string {
  return createHash("sha256").update(handle).digest("hex");
}
