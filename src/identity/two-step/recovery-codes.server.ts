import { createHash, randomInt } from "node:crypto";
import { and, count, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { recoveryCodes, twoStepKeys } from "../tables.server.ts";

const CODES = 10;
/**
 * 36 digits are about 120 random bits, too many to guess even from the hash, and can be typed on a
 * numeric keypad. Older codes of 24 digits work until new ones are created.
 */
const GROUPS = 6;

/** Creates recovery codes for use without the app, replacing any previous ones. */
export async function createRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () =>
    Array.from({ length: GROUPS }, () => String(randomInt(1_000_000)).padStart(6, "0")).join(" "),
  );
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })));
  return codes;
}

/** Marks a recovery code as used. Returns false if it is unknown or already used. */
export async function consumeRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const updated = await tx
    .update(recoveryCodes)
    .set({ usedAt: now() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashOf(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return updated.length > 0;
}

/** Returns the number of unused codes. */
export async function countRecoveryCodes(
  userId: string,
  on: Pick<Tx, "select"> = database(),
): Promise<number> {
  const [row] = await on
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

function hashOf(userId: string, code: string): string {
  return createHash("sha256")
    .update(`${userId}:${code.replaceAll(" ", "")}`)
    .digest("hex");
}

export type TwoStep = { since: Date; recoveryCodesLeft: number };

/**
 * Returns since when a user has two-step login and how many recovery codes are left; null if it
 * is off.
 */
export async function readTwoStep(
  userId: string,
  on: Pick<Tx, "select"> = database(),
): Promise<TwoStep | null> {
  const [key] = await on
    .select({ since: twoStepKeys.createdAt })
    .from(twoStepKeys)
    .where(eq(twoStepKeys.userId, userId));
  return key ? { ...key, recoveryCodesLeft: await countRecoveryCodes(userId, on) } : null;
}
