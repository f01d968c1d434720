import {
  resetPasswordAttempts,
  takePasswordAttempt,
  uncountPasswordAttempt,
} from "#platform/rate-limits.server.ts";
import { readPasswordHash } from "./credentials.server.ts";
import { verifyPassword } from "./password-hash.server.ts";

export type ReauthenticationResult = "correct" | "wrong-password" | "too-many-attempts" | "busy";

/** Verifies the password of a signed-in user again before a sensitive action. */
export async function reauthenticate(
  userId: string,
  password: string,
): Promise<ReauthenticationResult> {
  const attemptKey = `password:again:${userId}`;
  const waitSeconds = await takePasswordAttempt(attemptKey);
  if (waitSeconds !== null) return "too-many-attempts";
  const hash = await readPasswordHash(userId);
  const matches = await verifyPassword(hash ?? "", password);
  if (matches === null) {
    await uncountPasswordAttempt(attemptKey);
    return "busy";
  }
  if (!matches) return "wrong-password";
  await resetPasswordAttempts([attemptKey]);
  return "correct";
}
