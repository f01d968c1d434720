import { pool } from "#platform/database.server.ts";

export type ListedAdmin = {
  id: string;
  name: string;
  email: string;
  /** When they got the role; when they accepted the invitation if two-step login is still off. */
  since: Date;
  hasTwoStep: boolean;
  /** They have accepted but must turn two-step login on before they get the role. */
  isAwaitingTwoStep: boolean;
};

/** Lists the admins and those who must still turn two-step login on, longest-serving first. */
export async function listAdmins(): Promise<ListedAdmin[]> {
  const { rows } = await pool().query<ListedAdmin>(
    `select u.id, u.name, u.email, a.since, a.is_awaiting as "isAwaitingTwoStep",
       exists (select from two_step_keys k where k.user_id = u.id) as "hasTwoStep"
     from (
       select user_id, granted_at as since, false as is_awaiting from user_roles where role = 'admin'
       union all
       select i.accepted_by, i.accepted_at, true from admin_invitations i
       where i.accepted_by is not null and i.ended_at is null and not exists (
         select from user_roles r where r.user_id = i.accepted_by and r.role = 'admin')
     ) a join users u on u.id = a.user_id
     where u.closed_at is null
     order by a.since, u.id`,
  );
  return rows;
}
