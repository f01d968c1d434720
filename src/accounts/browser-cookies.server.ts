import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { expireCookies, readSiteCookie, writeCookie } from "#platform/http/cookies.server.ts";
import { resolveReturnTarget } from "./return-target.ts";
import { emailLinks } from "./tables.server.ts";

const KNOWN_BROWSER_COOKIE = "known";
const REGISTRATION_COOKIE = "registered";
const RETURN_TARGET_COOKIE = "onward";
/** Longer than any path of this site. Browsers limit a cookie to about 4,000 characters. */
const MAX_TARGET_LENGTH = 1000;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Returns the id of a browser that has signed in to this address before, or null. Its password
 * attempts are counted separately, so that an attacker who guesses passwords cannot lock the owner
 * out.
 */
export function readKnownBrowser(request: Request, email: string): string | null {
  const [id, signature] = (
    readSiteCookie(request.headers.get("cookie"), KNOWN_BROWSER_COOKIE) ?? ""
  ).split(".");
  if (!id || !signature) return null;
  const actual = Buffer.from(signature, "base64url");
  const expected = sign(id, email);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? id : null;
}

/** Returns the Set-Cookie header that identifies this browser as known to the address. */
export function createKnownBrowserCookie(request: Request, email: string): string {
  const id = readKnownBrowser(request, email) ?? randomBytes(16).toString("base64url");
  const value = `${id}.${sign(id, email).toString("base64url")}`;
  return writeCookie(KNOWN_BROWSER_COOKIE, value, 400 * DAY_SECONDS);
}

/**
 * Creates the cookie that identifies the registering browser, and the hash stored with the
 * confirmation link.
 */
export function createRegistrationCookie(request: Request): {
  browserHash: string;
  cookie: string;
} {
  const id =
    readSiteCookie(request.headers.get("cookie"), REGISTRATION_COOKIE) ??
    randomBytes(24).toString("base64url");
  return { browserHash: hashId(id), cookie: writeCookie(REGISTRATION_COOKIE, id, DAY_SECONDS) };
}

/** Whether this browser is the one that registered. */
export function isRegistrationBrowser(request: Request, browserHash: string | null): boolean {
  return browserHash !== null && readRegistrationBrowserHash(request) === browserHash;
}

/**
 * Returns the hash that confirmation links store for this browser, or null if it has not
 * registered.
 */
export function readRegistrationBrowserHash(request: Request): string | null {
  const id = readSiteCookie(request.headers.get("cookie"), REGISTRATION_COOKIE);
  return id === null ? null : hashId(id);
}

/**
 * Returns the Set-Cookie header that stores the return target during registration; '/' deletes it.
 */
export function createReturnTargetCookie(target: string): string {
  const isStored = target !== "/" && target.length <= MAX_TARGET_LENGTH;
  return writeCookie(RETURN_TARGET_COOKIE, isStored ? target : "", isStored ? DAY_SECONDS : 0);
}

/** Returns the stored return target, or '/' if there is none. */
export function readReturnTarget(request: Request): string {
  return resolveReturnTarget(readSiteCookie(request.headers.get("cookie"), RETURN_TARGET_COOKIE));
}

/** Returns Set-Cookie headers that delete all cookies of a request except the known-browser cookie. */
export function expireOtherCookies(request: Request): string[] {
  return expireCookies(request.headers.get("cookie"), KNOWN_BROWSER_COOKIE);
}

function sign(id: string, email: string): Buffer {
  return createHmac("sha256", env().authSecret).update(`known-browser:${id}:${email}`).digest();
}

function hashId(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

/** Returns the address this browser registered last and whether it is confirmed, or null. */
export async function readRegistration(
  request: Request,
): Promise<{ email: string; isConfirmed: boolean } | null> {
  const browserHash = readRegistrationBrowserHash(request);
  if (browserHash === null) return null;
  const [link] = await database()
    .select({ email: emailLinks.email, usedAt: emailLinks.usedAt })
    .from(emailLinks)
    .where(and(eq(emailLinks.browserHash, browserHash), eq(emailLinks.purpose, "confirm-email")))
    .orderBy(desc(emailLinks.createdAt))
    .limit(1);
  return link ? { email: link.email, isConfirmed: link.usedAt !== null } : null;
}
