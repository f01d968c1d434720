import { eq, sql } from "drizzle-orm";
import { creatorRecords } from "#creators/creators.server.ts";
import type { Record } from "#domain/record.ts";
import type { Tx } from "#platform/database.server.ts";

/** Adds to (or takes from) what a creator's tips add up to, as the last write of a transaction. */
export async function addToRecord(tx: Tx, creatorId: string, change: Record): Promise<void> {
  if (change.tips === 0 && change.settled === 0 && change.won === 0) return;
  await tx
    .update(creatorRecords)
    .set({
      tips: sql`${creatorRecords.tips} + ${change.tips}`,
      settled: sql`${creatorRecords.settled} + ${change.settled}`,
      won: sql`${creatorRecords.won} + ${change.won}`,
      // Their tallies are read from the tips until they are made anew.
      ...(change.settled !== 0 || change.won !== 0 ? { isTallied: false } : {}),
    })
    .where(eq(creatorRecords.creatorId, creatorId));
}
