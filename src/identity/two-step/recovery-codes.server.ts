import { createHash, randomInt } from "node:crypto";
import { and, count, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { recoveryCodes, twoStepKeys } from "../tables.server.ts";

const CODES = 10;
/**
 * 36 digits are nearly 120 random bits, too many to guess even from the hash; and they are typed on the
 * same keys as a code. Of those from before, of 24, each works as long as nobody has new ones made.
 */
const GROUPS = 6;

/** Makes the codes that stand for the app where it is lost, in place of any there were. */
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

/** Spends a recovery code; false where it is none of theirs or has been spent. */
export async function consumeRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const spent = await tx
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
  return spent.length > 0;
}

/** How many codes are left. */
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

/** Since when somebody signs in with a code too, and their recovery codes left; null where they do not. */
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
