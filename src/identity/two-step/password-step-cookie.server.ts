import { createHash } from "node:crypto";
import { now } from "#platform/clock.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { readOwnCookie, writeCookie } from "../cookies.server.ts";

const NAME = "password-given";
const SECONDS = 10 * 60;
const LOCK = { purpose: "password-given", owner: "browser" };

/** The Set-Cookie line of a browser that has given the right password and is to give a code. */
export function passwordStepCookie(userId: string, passwordHash: string): string {
  const until = now().getTime() + SECONDS * 1000;
  const mark = markOf(passwordHash);
  return writeCookie(NAME, encrypt(JSON.stringify({ userId, mark, until }), LOCK), SECONDS);
}

/** Whose password this browser has given lately, and the mark of that password; or null. */
export function readPasswordStep(request: Request): { userId: string; mark: string } | null {
  try {
    const { userId, mark, until } = JSON.parse(
      decrypt(readOwnCookie(request.headers.get("cookie"), NAME) ?? "", LOCK),
    );
    return now().getTime() < until ? { userId, mark } : null;
  } catch {
    return null;
  }
}

/** The Set-Cookie line that forgets it. */
export function expirePasswordStepCookie(): string {
  return writeCookie(NAME, "", 0);
}

/** By which a password is known to be the one that was given, and not a newer one. */
export function markOf(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url").slice(0, 22);
}
