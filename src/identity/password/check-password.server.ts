import {
  resetPasswordAttempts,
  returnPasswordAttempt,
  takePasswordAttempt,
} from "#platform/rate-limits.server.ts";
import { readPasswordHash } from "./credentials.server.ts";
import { verifyPassword } from "./password-hash.server.ts";

export type CheckPasswordResult = "right" | "wrong-password" | "too-many-attempts" | "busy";

/** Checks the password of a signed-in user again before a sensitive action. */
export async function checkPassword(
  userId: string,
  password: string,
): Promise<CheckPasswordResult> {
  const attemptKey = `password:again:${userId}`;
  if (await takePasswordAttempt(attemptKey)) return "too-many-attempts";
  const hash = await readPasswordHash(userId);
  const matches = await verifyPassword(hash ?? "", password);
  if (matches === null) {
    await returnPasswordAttempt(attemptKey);
    return "busy";
  }
  if (!matches) return "wrong-password";
  await resetPasswordAttempts([attemptKey]);
  return "right";
}
