import { count, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { userRoles, users } from "./tables.server.ts";
import type { Role } from "./viewer.server.ts";

export type User = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** True if the account was closed and its personal data deleted. */
  isClosed: boolean;
};

const COLUMNS = {
  id: users.id,
  name: users.name,
  email: users.email,
  emailVerified: users.emailVerified,
  isClosed: sql<boolean>`${users.closedAt} is not null`,
};

/**
 * Returns the account of an address (lower case, trimmed), or null. Locks its row if a transaction
 * is passed.
 */
export async function findUserByEmail(email: string, tx?: Tx): Promise<User | null> {
  const query = (tx ?? database()).select(COLUMNS).from(users).where(eq(users.email, email));
  const [user] = tx ? await query.for("no key update") : await query;
  return user ?? null;
}

/**
 * Locks the user row against other writers until the transaction ends. Must be the first lock
 * taken, so that transactions that also lock links or sessions cannot deadlock.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/** Returns users by id. Unknown ids are omitted. */
export async function readUsers(ids: string[], tx?: Tx): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map();
  const rows = await (tx ?? database()).select(COLUMNS).from(users).where(inArray(users.id, ids));
  return new Map(rows.map((user) => [user.id, user]));
}

/** Returns all users with the role, sorted by name. */
export async function listUsersWithRole(role: Exclude<Role, "user">): Promise<User[]> {
  return await database()
    .select(COLUMNS)
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .where(eq(userRoles.role, role))
    .orderBy(users.name);
}

const readCachedCount = cachedReads<number>({ invalidatedBy: [], ttlMs: 60_000, max: 1 });

/** Returns the number of open accounts, at most a minute old, because counting a million of them takes 100 ms. */
export async function countUsers(): Promise<number> {
  return await readCachedCount("all", async () => {
    return await database().$count(users, isNull(users.closedAt));
  });
}

/** Counts the accounts created from an instant on, and those whose address is confirmed. */
export async function countNewUsers(since: Date): Promise<{ users: number; confirmed: number }> {
  const [row] = await database()
    .select({
      users: count(),
      confirmed: sql<number>`count(*) filter (where ${users.emailVerified})::int`,
    })
    .from(users)
    .where(gte(users.createdAt, since));
  return row ?? { users: 0, confirmed: 0 };
}

/** Returns when a user's account was created. */
export async function readMemberSince(userId: string): Promise<Date> {
  const [user] = await database()
    .select({ createdAt: users.createdAt })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new Error("there is no such user");
  return user.createdAt;
}
