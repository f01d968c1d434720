import { eq } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { twoStepKeys } from "../tables.server.ts";
import { countRecoveryCodes } from "./recovery-codes.server.ts";

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
