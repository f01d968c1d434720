import { and, eq } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { endSessions } from "./sessions.server.ts";
import { userRoles } from "./tables.server.ts";
import type { Role } from "./viewer.server.ts";

type RoleChange = { userId: string; role: Exclude<Role, "user">; actorId: string | null };

/** Grants a role to a user, once, and audits it. Takes effect with the next request. */
export async function grantRole(tx: Tx, { userId, role, actorId }: RoleChange): Promise<void> {
  const granted = await tx
    .insert(userRoles)
    .values({ userId, role, grantedAt: now(), grantedBy: actorId })
    .onConflictDoNothing()
    .returning({ role: userRoles.role });
  if (granted.length > 0)
    await writeAudit(tx, { actorId, action: "grant-role", subject: userId, details: { role } });
}

/** Returns the roles of a user other than 'user'. */
export async function readRoles(userId: string, tx?: Tx): Promise<Exclude<Role, "user">[]> {
  const rows = await (tx ?? database())
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(eq(userRoles.userId, userId));
  return rows.map((row) => row.role);
}

/** Revokes a role, audits it with the reason if there is one, and ends the user's sessions. */
export async function revokeRole(
  tx: Tx,
  { userId, role, actorId, reason }: RoleChange & { reason?: string },
): Promise<void> {
  const revoked = await tx
    .delete(userRoles)
    .where(and(eq(userRoles.userId, userId), eq(userRoles.role, role)))
    .returning({ role: userRoles.role });
  if (revoked.length === 0) return;
  await endSessions(tx, userId);
  await writeAudit(tx, {
    actorId,
    action: "revoke-role",
    subject: userId,
    details: reason ? { role, reason } : { role },
  });
}
