import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { decrypt } from "#platform/encrypt.server.ts";
import { env } from "#platform/env.server.ts";
import { log } from "#platform/log.server.ts";
import { twoStepKeys } from "../tables.server.ts";
import type { Role } from "../viewer.server.ts";
import { computeCode, currentStep, encodeBase32, KEY_BYTES } from "./one-time-code.server.ts";

type Owner = { id: string; roles: readonly Role[] };

/**
 * Returns the key of a user's authenticator app, or null without two-step login. The key itself is null if
 * AUTH_SECRET has changed since; then only a recovery code works. In the demo an admin without two-step login has
 * a key of the demo, which logging in does not ask for.
 */
export async function findKey(
  owner: Owner,
): Promise<{ key: string | null; isOfDemo: boolean } | null> {
  const [row] = await database()
    .select({ encryptedKey: twoStepKeys.encryptedKey })
    .from(twoStepKeys)
    .where(eq(twoStepKeys.userId, owner.id));
  if (row) return { key: decryptKey(owner.id, row.encryptedKey), isOfDemo: false };
  return env().mode === "demo" && owner.roles.includes("admin")
    ? { key: deriveDemoKey(owner.id), isOfDemo: true }
    : null;
}

function decryptKey(userId: string, encryptedKey: string): string | null {
  try {
    return decrypt(encryptedKey, { purpose: "two-step-key", owner: userId });
  } catch {
    log.error(
      { user: userId },
      "two-step key can't be decrypted: it was encrypted with an old AUTH_SECRET",
    );
    return null;
  }
}

function deriveDemoKey(userId: string): string {
  const digest = createHmac("sha256", env().authSecret).update(`demo key of ${userId}`).digest();
  return encodeBase32(digest.subarray(0, KEY_BYTES));
}

/** Returns the current code of a key in the demo, which shows it beside the field; null in production. */
export function readDemoCode(key: string | null): string | null {
  return env().mode === "demo" && key ? computeCode(key, currentStep()) : null;
}
