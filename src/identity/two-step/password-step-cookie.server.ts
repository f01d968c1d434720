import { createHash } from "node:crypto";
import { now } from "#platform/clock.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { readOwnCookie, writeCookie } from "../cookies.server.ts";

const NAME = "password-given";
const SECONDS = 10 * 60;
const ENCRYPTION_CONTEXT = { purpose: "password-given", owner: "browser" };

/** Returns the Set-Cookie header that records a correct password until the code is entered. */
export function passwordStepCookie(userId: string, passwordHash: string): string {
  const expiresAt = now().getTime() + SECONDS * 1000;
  const fingerprint = passwordFingerprint(passwordHash);
  return writeCookie(
    NAME,
    encrypt(JSON.stringify({ userId, fingerprint, expiresAt }), ENCRYPTION_CONTEXT),
    SECONDS,
  );
}

/**
 * Returns whose password this browser entered recently, with that password's fingerprint; or null.
 */
export function readPasswordStep(request: Request): { userId: string; fingerprint: string } | null {
  try {
    const { userId, fingerprint, expiresAt } = JSON.parse(
      decrypt(readOwnCookie(request.headers.get("cookie"), NAME) ?? "", ENCRYPTION_CONTEXT),
    );
    return now().getTime() < expiresAt ? { userId, fingerprint } : null;
  } catch {
    return null;
  }
}

/** Returns the Set-Cookie header that deletes the record. */
export function expirePasswordStepCookie(): string {
  return writeCookie(NAME, "", 0);
}

/** Identifies a password, so that a code is refused if the password has changed since. */
export function passwordFingerprint(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url").slice(0, 22);
}
