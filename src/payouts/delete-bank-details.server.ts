import { eq } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { bankDetails } from "./tables.server.ts";

/** Deletes the bank details of an account that is being closed. Lines of payment files keep theirs. */
export async function deleteBankDetails(tx: Tx, creatorId: string): Promise<void> {
  await tx.delete(bankDetails).where(eq(bankDetails.creatorId, creatorId));
}
