import { eq, inArray, sql } from "drizzle-orm";
import { database, prepared, type Tx } from "#platform/database.server.ts";
import { userRoles, users } from "./tables.server.ts";
import type { Role } from "./viewer.server.ts";

export type User = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** The person has left; only the id is still theirs. */
  isClosed: boolean;
};

const COLUMNS = {
  id: users.id,
  name: users.name,
  email: users.email,
  emailVerified: users.emailVerified,
  isClosed: sql<boolean>`${users.closedAt} is not null`,
};

/** The account of an address (lower case, trimmed), or null. With a transaction its row is locked. */
export async function findUserByEmail(email: string, tx?: Tx): Promise<User | null> {
  const query = (tx ?? database()).select(COLUMNS).from(users).where(eq(users.email, email));
  const [user] = tx ? await query.for("no key update") : await query;
  return user ?? null;
}

/**
 * Makes everything else that writes to this user wait for the transaction. First of all locks, so that
 * no two that also lock links or sessions can wait for each other.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/** The people behind ids, by id; who is not there is left out. */
export async function readUsers(ids: string[], tx?: Tx): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map();
  const rows = await (tx ?? database()).select(COLUMNS).from(users).where(inArray(users.id, ids));
  return new Map(rows.map((user) => [user.id, user]));
}

/** Everybody who has the role, by name. */
export async function usersWithRole(role: Exclude<Role, "user">): Promise<User[]> {
  return await database()
    .select(COLUMNS)
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .where(eq(userRoles.role, role))
    .orderBy(users.name);
}

/** How many accounts there are. */
export async function countUsers(): Promise<number> {
  const [row] = await prepared<{ users: number }>(
    "count-users",
    "select sum(open_users)::bigint as users from user_counts",
    [],
  );
  return row?.users ?? 0;
}

/** When a user's account was opened. */
export async function readMemberSince(userId: string): Promise<Date> {
  const [user] = await database()
    .select({ createdAt: users.createdAt })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new Error("there is no such user");
  return user.createdAt;
}
