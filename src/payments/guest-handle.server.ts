import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createCookie } from "react-router";
import { env } from "#platform/env.server.ts";

const KEPT_SECONDS = 24 * 60 * 60;

/** What the database keeps of the handle of a guest's order. */
export function handleHash(orderId: string): string {
  return hash(handleOf(orderId));
}

/** The Set-Cookie line that gives the browser which began a guest's order the handle to it. */
export async function giveHandle(orderId: string): Promise<string> {
  return await cookieOf(orderId).serialize(handleOf(orderId));
}

/** Whether this request comes from the browser that began the order. */
export async function hasHandle(
  request: Request,
  order: { id: string; browserHash: string | null },
): Promise<boolean> {
  const handle: unknown = await cookieOf(order.id).parse(request.headers.get("cookie"));
  if (typeof handle !== "string" || order.browserHash === null) return false;
  return timingSafeEqual(Buffer.from(hash(handle)), Buffer.from(order.browserHash));
}

/** Each order has its own, so that two cards bought in two tabs do not put each other out. */
function cookieOf(orderId: string) {
  return createCookie(`furlong-order-${orderId.slice(-12)}`, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: env().appUrl.startsWith("https:"),
    maxAge: KEPT_SECONDS,
  });
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
