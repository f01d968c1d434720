import { createHash } from "node:crypto";
import { now } from "#platform/clock.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { readSiteCookie, writeCookie } from "#platform/http/cookies.server.ts";

const COOKIE_NAME = "password-given";
const MAX_AGE_SECONDS = 10 * 60;
const ENCRYPTION_CONTEXT = { purpose: "password-given", owner: "browser" };

/** Returns the Set-Cookie header that records a correct password until the code is entered. */
export function createPasswordStepCookie(userId: string, passwordHash: string): string {
  const expiresAt = now().getTime() + MAX_AGE_SECONDS * 1000;
  const fingerprint = passwordFingerprint(passwordHash);
  return writeCookie(
    COOKIE_NAME,
    encrypt(JSON.stringify({ userId, fingerprint, expiresAt }), ENCRYPTION_CONTEXT),
    MAX_AGE_SECONDS,
  );
}

/**
 * Returns whose password this browser entered recently, with that password's fingerprint; or null.
 */
export function readPasswordStep(request: Request): { userId: string; fingerprint: string } | null {
  try {
    const { userId, fingerprint, expiresAt } = JSON.parse(
      decrypt(readSiteCookie(request.headers.get("cookie"), COOKIE_NAME) ?? "", ENCRYPTION_CONTEXT),
    );
    return now().getTime() < expiresAt ? { userId, fingerprint } : null;
  } catch {
    return null;
  }
}

/** Returns the Set-Cookie header that deletes the record. */
export function expirePasswordStepCookie(): string {
  return writeCookie(COOKIE_NAME, "", 0);
}

/** Identifies a password, so that a code is refused if the password has changed since. */
export function passwordFingerprint(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url").slice(0, 22);
}
