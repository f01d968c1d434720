import { and, desc, eq, gte, lte } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { emitFakeEvents } from "./emit-fake-events.server.ts";
import { buildSession } from "./stripe-objects.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";

export type FakeStripeSession = typeof fakeStripeSessions.$inferSelect;

/** Returns a session of the fake provider, or null. Expires it first when it is due. */
export async function findSession(id: string): Promise<FakeStripeSession | null> {
  await expireSession(id);
  const [session] = await database()
    .select()
    .from(fakeStripeSessions)
    .where(eq(fakeStripeSessions.id, id));
  return session ?? null;
}

/** Returns a session locked for the transaction, or null. */
export async function lockSession(tx: Tx, id: string): Promise<FakeStripeSession | null> {
  const [session] = await tx
    .select()
    .from(fakeStripeSessions)
    .where(eq(fakeStripeSessions.id, id))
    .for("update");
  return session ?? null;
}

/** Returns the latest sessions, newest first, optionally only those created since an instant. */
export async function listSessions({
  since,
  limit = 50,
}: {
  since?: Date;
  limit?: number;
} = {}): Promise<FakeStripeSession[]> {
  return await database()
    .select()
    .from(fakeStripeSessions)
    .where(since && gte(fakeStripeSessions.createdAt, since))
    .orderBy(desc(fakeStripeSessions.createdAt), desc(fakeStripeSessions.id))
    .limit(limit);
}

/** Expires an open session that is due and emits the event; leaves any other unchanged. */
export async function expireSession(id: string): Promise<void> {
  await transaction(async (tx) => {
    const [session] = await tx
      .update(fakeStripeSessions)
      .set({ status: "expired" })
      .where(
        and(
          eq(fakeStripeSessions.id, id),
          eq(fakeStripeSessions.status, "open"),
          lte(fakeStripeSessions.expiresAt, now()),
        ),
      )
      .returning();
    if (session)
      await emitFakeEvents(tx, [
        { type: "checkout.session.expired", object: buildSession(session) },
      ]);
  });
}
