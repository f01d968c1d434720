import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { credentials } from "./tables.server.ts";

/** Makes this the user's password, whether or not there was one. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .insert(credentials)
    .values({
      accountId: userId,
      providerId: "credential",
      userId,
      password: passwordHash,
      createdAt: now(),
      updatedAt: now(),
    })
    .onConflictDoUpdate({
      target: [credentials.userId, credentials.providerId],
      set: { password: passwordHash, updatedAt: now() },
    });
}
