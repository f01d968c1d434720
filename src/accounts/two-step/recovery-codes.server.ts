import { createHash, randomInt } from "node:crypto";
import { and, count, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { recoveryCodes, twoStepKeys } from "../tables.server.ts";

const CODE_COUNT = 10;
/**
 * 36 digits are about 120 random bits, too many to guess even from the hash, and can be typed on a
 * numeric keypad. Older codes of 24 digits work until new ones are created.
 */
const GROUP_COUNT = 6;

/** Creates recovery codes for use without the app, replacing any previous ones. */
export async function createRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, () =>
    Array.from({ length: GROUP_COUNT }, () => String(randomInt(1_000_000)).padStart(6, "0")).join(
      " ",
    ),
  );
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: hashCode(userId, code) })));
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
        eq(recoveryCodes.codeHash, hashCode(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return updated.length > 0;
}

/** Returns the number of unused codes. */
export async function countRecoveryCodes(
  userId: string,
  db: Pick<Tx, "select"> = database(),
): Promise<number> {
  const [row] = await db
    .select({ remaining: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.remaining ?? 0;
}

function hashCode(userId: string, code: string): string {
  return createHash("sha256")
    .update(`${userId}:${code.replaceAll(" ", "")}`)
    .digest("hex");
}

export type TwoStep = { since: Date; remainingRecoveryCodes: number };

/**
 * Returns when a user turned two-step login on and how many recovery codes are left; null if it is off.
 */
export async function readTwoStep(
  userId: string,
  db: Pick<Tx, "select"> = database(),
): Promise<TwoStep | null> {
  const [key] = await db
    .select({ since: twoStepKeys.createdAt })
    .from(twoStepKeys)
    .where(eq(twoStepKeys.userId, userId));
  return key ? { ...key, remainingRecoveryCodes: await countRecoveryCodes(userId, db) } : null;
}
