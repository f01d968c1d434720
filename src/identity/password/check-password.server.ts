import {
  resetPasswordAttempts,
  returnPasswordAttempt,
  takePasswordAttempt,
} from "#platform/rate-limits.server.ts";
import { passwordHashOf } from "./credentials.server.ts";
import { verifyPassword } from "./password-hash.server.ts";

export type CheckPasswordResult = "right" | "wrong-password" | "too-many-tries" | "busy";

/** Asks someone who is signed in for their password again, before what needs it. */
export async function checkPassword(
  userId: string,
  password: string,
): Promise<CheckPasswordResult> {
  const tries = `password:again:${userId}`;
  if (await takePasswordAttempt(tries)) return "too-many-tries";
  const hash = await passwordHashOf(userId);
  const matches = await verifyPassword(hash ?? "", password);
  if (matches === null) {
    await returnPasswordAttempt(tries);
    return "busy";
  }
  if (!matches) return "wrong-password";
  await resetPasswordAttempts([tries]);
  return "right";
}
