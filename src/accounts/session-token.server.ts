import { createHmac, timingSafeEqual } from "node:crypto";
import { now } from "#platform/clock.server.ts";
import { env } from "#platform/env.server.ts";
import { readCookie, sessionCookieOptions } from "#platform/http/cookies.server.ts";

const SESSION_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Extends a session at most once a day instead of on every request. */
export const EXTEND_BELOW_MS = (SESSION_DAYS - 1) * DAY_MS;

/** Returns the expiry of a session started or used now. */
export function computeSessionExpiry(): Date {
  return new Date(now().getTime() + SESSION_DAYS * DAY_MS);
}

/**
 * Returns the session token of a request whose cookie has a valid signature, without a database
 * query. SQL statements resolve the user with `session_user_id(token, at)`.
 */
export function readSessionToken(request: { headers: Headers }): string | null {
  return parseSessionToken(request.headers.get("cookie"));
}

/** Returns the session token of a Cookie header, as `readSessionToken` does. */
export function parseSessionToken(cookies: string | null): string | null {
  const value = readCookie(cookies, sessionCookieOptions().name);
  const separator = value?.lastIndexOf(".") ?? -1;
  if (!value || separator < 1) return null;
  const token = value.slice(0, separator);
  const signature = Buffer.from(value.slice(separator + 1), "base64");
  const expected = createHmac("sha256", env().authSecret).update(token).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected)
    ? token
    : null;
}
