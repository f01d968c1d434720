import { eq } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { tips } from "./tables.server.ts";

/** Whether there is such a tip, and whether the operator has deleted it; null for an unknown id. */
export async function tipExists(tx: Tx, tipId: string): Promise<{ isDeleted: boolean } | null> {
  const [tip] = await tx.select({ deletedAt: tips.deletedAt }).from(tips).where(eq(tips.id, tipId));
  return tip ? { isDeleted: tip.deletedAt !== null } : null;
}
