import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { ownCookieNames, readOwnCookie, writeCookie } from "./cookies.server.ts";
import { returnTarget } from "./return-target.ts";
import { emailLinks } from "./tables.server.ts";

const KNOWN = "known";
const REGISTERED = "registered";
const ONWARD = "onward";
/** Longer than any address of ours; a cookie holds four thousand characters at the most. */
const MAX_TARGET = 1000;
const DAY_SECONDS = 24 * 60 * 60;

/**
 * The mark of a browser that has signed in to this address before, or null. Its tries at the password
 * are counted apart, so that a stranger who guesses all day cannot keep the owner out.
 */
export function readKnownBrowser(request: Request, email: string): string | null {
  const [mark, signature] = (readOwnCookie(request.headers.get("cookie"), KNOWN) ?? "").split(".");
  if (!mark || !signature) return null;
  const given = Buffer.from(signature, "base64url");
  const expected = sign(mark, email);
  return given.length === expected.length && timingSafeEqual(given, expected) ? mark : null;
}

/** The Set-Cookie line by which this browser is known to the address from now on. */
export function knownBrowserCookie(request: Request, email: string): string {
  const mark = readKnownBrowser(request, email) ?? randomBytes(16).toString("base64url");
  const value = `${mark}.${sign(mark, email).toString("base64url")}`;
  return writeCookie(KNOWN, value, 400 * DAY_SECONDS);
}

/** Marks the browser that registers: what the confirmation link remembers of it, and its cookie. */
export function createRegistrationCookie(request: Request): {
  browserHash: string;
  cookie: string;
} {
  const mark =
    readOwnCookie(request.headers.get("cookie"), REGISTERED) ??
    randomBytes(24).toString("base64url");
  return { browserHash: hashOf(mark), cookie: writeCookie(REGISTERED, mark, DAY_SECONDS) };
}

/** Whether this is the browser that a confirmation link remembers. */
export function isRegistrationBrowser(request: Request, browserHash: string | null): boolean {
  return browserHash !== null && registrationBrowserHash(request) === browserHash;
}

/** What a confirmation link remembers of this browser, where it has registered; else null. */
export function registrationBrowserHash(request: Request): string | null {
  const mark = readOwnCookie(request.headers.get("cookie"), REGISTERED);
  return mark === null ? null : hashOf(mark);
}

/** The Set-Cookie line by which a browser that registers comes back to where it was; '/' forgets it. */
export function returnTargetCookie(target: string): string {
  const isKept = target !== "/" && target.length <= MAX_TARGET;
  return writeCookie(ONWARD, isKept ? target : "", isKept ? DAY_SECONDS : 0);
}

/** Where the browser that registered was going; home where nothing of ours is remembered. */
export function readReturnTarget(request: Request): string {
  return returnTarget(readOwnCookie(request.headers.get("cookie"), ONWARD));
}

/** The Set-Cookie lines by which a browser forgets what it has of us, but for being known. */
export function expireOwnCookies(request: Request): string[] {
  return ownCookieNames(request.headers.get("cookie"))
    .filter((name) => name !== KNOWN)
    .map((name) => writeCookie(name, "", 0));
}

function sign(mark: string, email: string): Buffer {
  return createHmac("sha256", env().authSecret).update(`known-browser:${mark}:${email}`).digest();
}

function hashOf(mark: string): string {
  return createHash("sha256").update(mark).digest("hex");
}

/** The address this browser has last registered, and whether it is confirmed; null where it has not. */
export async function readRegistration(
  request: Request,
): Promise<{ email: string; isConfirmed: boolean } | null> {
  const browserHash = registrationBrowserHash(request);
  if (browserHash === null) return null;
  const [link] = await database()
    .select({ email: emailLinks.email, usedAt: emailLinks.usedAt })
    .from(emailLinks)
    .where(and(eq(emailLinks.browserHash, browserHash), eq(emailLinks.purpose, "confirm-email")))
    .orderBy(desc(emailLinks.createdAt))
    .limit(1);
  return link ? { email: link.email, isConfirmed: link.usedAt !== null } : null;
}
