import { isId } from "#domain/id.ts";
import { pool } from "#platform/database.server.ts";
import { addCursor, ascending, descending, toPage } from "#platform/keyset-paging.server.ts";
import { createQueryParts, fullTextQuery, likePrefix } from "#platform/query-parts.server.ts";
import type { Role } from "./viewer.server.ts";

/** An account in the admin list of users. */
export type ListedUser = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  isClosed: boolean;
  roles: Exclude<Role, "user">[];
  createdAt: Date;
};

export const USER_ORDERS = {
  newest: descending("u.created_at", "u.id"),
  oldest: ascending("u.created_at", "u.id"),
};
export type UserOrder = keyof typeof USER_ORDERS;

/**
 * Returns a page of accounts for an admin, starting after the cursor. Optionally filters by role or by
 * a search for words of the name, the start of the address, or the id.
 */
export async function listUsers({
  search,
  role,
  order = "newest",
  cursor,
  limit = 20,
}: {
  search?: string | null;
  role?: Exclude<Role, "user"> | null;
  order?: UserOrder;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ users: ListedUser[]; next: string | null }> {
  const query = createQueryParts();
  const { bind, addCondition, where, values } = query;
  const sortOrder = USER_ORDERS[order];
  const searchText = search?.trim() ?? "";
  if (isId(searchText)) addCondition(`u.id = ${bind(searchText)}`);
  else if (searchText) {
    const matches = await findMatches(searchText);
    addCondition(
      matches
        ? `u.id = any(${bind(matches)}::uuid[])`
        : `(${matchConditions(searchText, bind).join(" or ")})`,
    );
  }
  if (role)
    addCondition(`u.id in (select r.user_id from user_roles r where r.role = ${bind(role)})`);
  addCursor(query, sortOrder, cursor, { from: "users u", idColumn: "u.id" });
  const { rows } = await pool().query<ListedUser>(
    `select u.id, u.name, u.email, u.email_verified as "emailVerified",
       u.closed_at is not null as "isClosed", u.created_at as "createdAt",
       array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles
     from users u ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { users: page, next };
}

const MAX_MATCHES = 2000;

/**
 * Returns the ids that match a search, or null if there are more than MAX_MATCHES. In that case a scan
 * in list order finds a page of matches quickly.
 */
async function findMatches(query: string): Promise<string[] | null> {
  const { bind, values } = createQueryParts();
  const { rows } = await pool().query<{ id: string }>(
    matchConditions(query, bind)
      .map((condition) => `(select u.id from users u where ${condition} limit ${MAX_MATCHES + 1})`)
      .join(" union "),
    values,
  );
  return rows.length > MAX_MATCHES ? null : rows.map((row) => row.id);
}

function matchConditions(query: string, bind: (value: unknown) => string): string[] {
  const words = fullTextQuery(query);
  const byAddress = `u.email like ${bind(likePrefix(query.toLowerCase()))}`;
  if (!words) return [byAddress];
  const byWords = `to_tsvector('simple', u.name || ' ' || u.email) @@ ${bind(words)}::tsquery`;
  return [byAddress, byWords];
}

/** An account with the details shown to admins. */
export type Account = ListedUser & {
  agreedAt: Date | null;
  closedAt: Date | null;
  /** The number of active sessions. */
  sessions: number;
  lastSeenAt: Date | null;
};

/** Returns the account with this id, closed or not, or null. */
export async function readAccount(userId: string, at: Date): Promise<Account | null> {
  const { rows } = await pool().query<Account>(
    `select u.id, u.name, u.email, u.email_verified as "emailVerified",
       u.closed_at is not null as "isClosed", u.created_at as "createdAt",
       u.agreed_at as "agreedAt", u.closed_at as "closedAt",
       array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles,
       (select count(*) from sessions s where s.user_id = u.id and s.expires_at > $2) as sessions,
       (select max(s.updated_at) from sessions s where s.user_id = u.id) as "lastSeenAt"
     from users u where u.id = $1`,
    [userId, at],
  );
  return rows[0] ?? null;
}
