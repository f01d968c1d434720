import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { users } from "./tables.server.ts";

/**
 * Writes down when a user said to be 18 or older and agreed to the terms, within the caller's
 * transaction. The first time stands.
 */
export async function recordAgreement(tx: Tx, userId: string, agreedAt: Date): Promise<void> {
  await tx
    .update(users)
    .set({ agreedAt })
    .where(and(eq(users.id, userId), isNull(users.agreedAt)));
}
