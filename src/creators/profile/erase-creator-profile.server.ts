import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { creators } from "../tables.server.ts";

/**
 * Erases the public profile of a creator whose account is being closed: photo, speciality and bio. The display name
 * stays with the record.
 */
export async function eraseCreatorProfile(tx: Tx, creatorId: string): Promise<void> {
  await tx
    .update(creators)
    .set({ photo: null, specialization: "", bio: "", updatedAt: now() })
    .where(eq(creators.userId, creatorId));
}
