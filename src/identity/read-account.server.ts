import { pool } from "#platform/database.server.ts";
import type { ListedUser } from "./list-users.server.ts";

/** An account as the operator sees it. */
export type Account = ListedUser & {
  agreedAt: Date | null;
  closedAt: Date | null;
  /** Browsers that are signed in. */
  sessions: number;
  lastSeenAt: Date | null;
};

/** The account of an id, closed or not, or null. */
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
