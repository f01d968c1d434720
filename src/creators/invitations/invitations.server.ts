import { and, desc, eq, isNull } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { findCreatorRow } from "../create-creator.server.ts";
import { analystInvitations, creators, tipsterApplications } from "../tables.server.ts";

/** A role that a user with an account can accept. */
export type Invitation = {
  kind: "tipster" | "analyst";
  displayName: string;
  specialization: string;
  bio: string;
  /** The admin who approved or invited them. */
  invitedBy: string | null;
};

/** Returns the invitation or approved application that a user has not accepted yet, or null. */
export async function readInvitation(
  userId: string,
): Promise<Pick<Invitation, "kind" | "displayName"> | null> {
  if (await findCreatorRow(database(), userId)) return null;
  const invitation = await findInvitation(database(), userId);
  return invitation && { kind: invitation.kind, displayName: invitation.displayName };
}

/**
 * Returns a user's invitation, accepted or not. An admin's invitation takes precedence over an
 * approved application.
 */
export async function findInvitation(
  from: Pick<Tx, "select">,
  userId: string,
): Promise<Invitation | null> {
  const [invited] = await from
    .select({
      displayName: analystInvitations.displayName,
      invitedBy: analystInvitations.invitedBy,
    })
    .from(analystInvitations)
    .where(and(eq(analystInvitations.userId, userId), isNull(analystInvitations.cancelledAt)));
  if (invited) return { kind: "analyst", specialization: "", bio: "", ...invited };
  const [approved] = await from
    .select({
      displayName: tipsterApplications.displayName,
      specialization: tipsterApplications.specialization,
      bio: tipsterApplications.bio,
      invitedBy: tipsterApplications.decidedBy,
    })
    .from(tipsterApplications)
    .where(and(eq(tipsterApplications.userId, userId), eq(tipsterApplications.status, "approved")))
    .orderBy(desc(tipsterApplications.createdAt))
    .limit(1);
  return approved ? { kind: "tipster", ...approved } : null;
}

export type PendingInvitation = {
  userId: string;
  displayName: string;
  email: string;
  invitedAt: Date;
};

/** Lists pending analyst invitations, newest first, at most 100. */
export async function listInvitations(): Promise<PendingInvitation[]> {
  const rows = await database()
    .select({
      userId: analystInvitations.userId,
      displayName: analystInvitations.displayName,
      invitedAt: analystInvitations.invitedAt,
    })
    .from(analystInvitations)
    .leftJoin(creators, eq(creators.userId, analystInvitations.userId))
    .where(and(isNull(analystInvitations.cancelledAt), isNull(creators.userId)))
    .orderBy(desc(analystInvitations.invitedAt), desc(analystInvitations.userId))
    .limit(100);
  const users = await readUsers(rows.map((row) => row.userId));
  return rows.map((row) => ({ ...row, email: users.get(row.userId)?.email ?? "" }));
}
