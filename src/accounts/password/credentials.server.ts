import { and, eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { credentials } from "../tables.server.ts";

/** Returns the current password hash of a user, or null. */
export async function readPasswordHash(
  userId: string,
  db: Pick<Tx, "select"> = database(),
): Promise<string | null> {
  const [credential] = await db
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.providerId, "credential")));
  return credential?.password ?? null;
}

/** Sets the user's password, replacing any previous one. */
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
