import { and, desc, eq, isNull } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { creators, tipsterApplications } from "./tables.server.ts";

/** The approved application that a signed-in user has yet to accept, or null. */
export async function readInvitation(userId: string): Promise<{ displayName: string } | null> {
  const [invitation] = await database()
    .select({ displayName: tipsterApplications.displayName })
    .from(tipsterApplications)
    .leftJoin(creators, eq(creators.userId, tipsterApplications.userId))
    .where(
      and(
        eq(tipsterApplications.userId, userId),
        eq(tipsterApplications.status, "approved"),
        isNull(creators.userId),
      ),
    )
    .orderBy(desc(tipsterApplications.createdAt))
    .limit(1);
  return invitation ?? null;
}
