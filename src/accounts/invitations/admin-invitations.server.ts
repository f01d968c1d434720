import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction, violatedConstraint } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { adminInvitations, userRoles, users } from "../tables.server.ts";

export type AdminInvitation = typeof adminInvitations.$inferSelect;

const VALID_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns a new token: its hash and expiry, which are stored, and the link, which is emailed. */
export function createInvitationToken() {
  const token = randomBytes(32).toString("base64url");
  return {
    stored: {
      tokenHash: hashToken(token),
      expiresAt: new Date(now().getTime() + VALID_DAYS * DAY_MS),
    },
    link: `${env().appUrl}/admin-invitation?token=${token}`,
  };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The condition for an invitation that can be accepted or cancelled, even if it has expired. */
export const isOpen = and(isNull(adminInvitations.acceptedAt), isNull(adminInvitations.endedAt));

/** The condition for an invitation that can still be accepted with its link. */
export function isAcceptable() {
  return and(isOpen, gt(adminInvitations.expiresAt, now()));
}

/** The condition for the invitation of a token. */
export function hasToken(token: string) {
  return eq(adminInvitations.tokenHash, hashToken(token));
}

/** Returns the invitation of a token, open or not; null if the token is unknown or replaced. */
export async function findInvitationByToken(
  token: string,
  db: Pick<Tx, "select"> = database(),
): Promise<AdminInvitation | null> {
  const [invitation] = await db.select().from(adminInvitations).where(hasToken(token));
  return invitation ?? null;
}

/**
 * Whether a user has accepted an invitation but does not hold the role yet, because two-step login
 * is off.
 */
export async function isAwaitingTwoStep(userId: string): Promise<boolean> {
  const [row] = await database()
    .select({ role: userRoles.role })
    .from(adminInvitations)
    .leftJoin(userRoles, and(eq(userRoles.userId, userId), eq(userRoles.role, "admin")))
    .where(and(eq(adminInvitations.acceptedBy, userId), isNull(adminInvitations.endedAt)));
  return row !== undefined && row.role === null;
}

/** Returns the invitation that a user has accepted, and locks it; null if there is none. */
export async function lockAcceptedInvitation(
  tx: Tx,
  userId: string,
): Promise<AdminInvitation | null> {
  const [invitation] = await tx
    .select()
    .from(adminInvitations)
    .where(and(eq(adminInvitations.acceptedBy, userId), isNull(adminInvitations.endedAt)))
    .for("update");
  return invitation ?? null;
}

/** Serialises changes to the set of admins until the transaction ends. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('identity admins'))`);
}

/** Whether a user is an admin with an open account. */
export async function isAdmin(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ userId: userRoles.userId })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(and(eq(userRoles.userId, userId), eq(userRoles.role, "admin"), isNull(users.closedAt)));
  return rows.length > 0;
}

/** Runs a transaction. Returns a refusal if the database rejects it because the creator is suspended. */
export async function refuseSuspended<T>(
  work: (tx: Tx) => Promise<T>,
): Promise<T | { ok: false; refusal: "suspended" }> {
  try {
    return await transaction(work);
  } catch (error) {
    if (violatedConstraint(error) === "admin_invitations_not_suspended")
      return { ok: false, refusal: "suspended" };
    throw error;
  }
}

export type OpenAdminInvitation = {
  id: string;
  email: string;
  invitedAt: Date;
  expiresAt: Date;
  isExpired: boolean;
};

/** Lists the invitations that have not been accepted, newest first, at most 100. */
export async function listOpenAdminInvitations(): Promise<OpenAdminInvitation[]> {
  const rows = await database()
    .select({
      id: adminInvitations.id,
      email: adminInvitations.email,
      invitedAt: adminInvitations.invitedAt,
      expiresAt: adminInvitations.expiresAt,
    })
    .from(adminInvitations)
    .where(isOpen)
    .orderBy(desc(adminInvitations.invitedAt), desc(adminInvitations.id))
    .limit(100);
  return rows.map((row) => ({ ...row, isExpired: row.expiresAt <= now() }));
}

/** Returns the addresses of invitations by id. */
export async function readAdminInvitationEmails(ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database()
    .select({ id: adminInvitations.id, email: adminInvitations.email })
    .from(adminInvitations)
    .where(inArray(adminInvitations.id, ids));
  return new Map(rows.map(({ id, email }) => [id, email]));
}
