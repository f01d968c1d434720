import { and, desc, eq, lte } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { emitEvents } from "./emit-events.server.ts";
import { sessionObject } from "./stripe-objects.server.ts";
import { standInSessions } from "./tables.server.ts";

export type StandInSession = typeof standInSessions.$inferSelect;

/** A session of the stand-in, or null. One whose time is over has expired, whether looked at or not. */
export async function findSession(id: string): Promise<StandInSession | null> {
  await expireSession(id);
  const [session] = await database()
    .select()
    .from(standInSessions)
    .where(eq(standInSessions.id, id));
  return session ?? null;
}

/** The same, locked for a transaction. */
export async function lockSession(tx: Tx, id: string): Promise<StandInSession | null> {
  const [session] = await tx
    .select()
    .from(standInSessions)
    .where(eq(standInSessions.id, id))
    .for("update");
  return session ?? null;
}

/** The sessions begun last, newest first. */
export async function listSessions(limit = 50): Promise<StandInSession[]> {
  return await database()
    .select()
    .from(standInSessions)
    .orderBy(desc(standInSessions.createdAt), desc(standInSessions.id))
    .limit(limit);
}

/** Closes an open session whose time is over and tells so; any other stays as it is. */
export async function expireSession(id: string): Promise<void> {
  await transaction(async (tx) => {
    const [session] = await tx
      .update(standInSessions)
      .set({ status: "expired" })
      .where(
        and(
          eq(standInSessions.id, id),
          eq(standInSessions.status, "open"),
          lte(standInSessions.expiresAt, now()),
        ),
      )
      .returning();
    if (session)
      await emitEvents(tx, [{ type: "checkout.session.expired", object: sessionObject(session) }]);
  });
}
