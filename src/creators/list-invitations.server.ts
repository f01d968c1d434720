import { and, desc, eq, isNull } from "drizzle-orm";
import { readUsers } from "#identity/identity.server.ts";
import { database } from "#platform/database.server.ts";
import { analystInvitations, creators } from "./tables.server.ts";

export type WaitingInvitation = {
  userId: string;
  displayName: string;
  email: string;
  invitedAt: Date;
};

/** Who was invited to write as an analyst and has not answered, newest first: a hundred at most. */
export async function listInvitations(): Promise<WaitingInvitation[]> {
  const rows = await database()
    .select({
      userId: analystInvitations.userId,
      displayName: analystInvitations.displayName,
      invitedAt: analystInvitations.invitedAt,
    })
    .from(analystInvitations)
    .leftJoin(creators, eq(creators.userId, analystInvitations.userId))
    .where(and(isNull(analystInvitations.withdrawnAt), isNull(creators.userId)))
    .orderBy(desc(analystInvitations.invitedAt), desc(analystInvitations.userId))
    .limit(100);
  const users = await readUsers(rows.map((row) => row.userId));
  return rows.map((row) => ({ ...row, email: users.get(row.userId)?.email ?? "" }));
}
