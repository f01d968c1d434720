import { sql } from "drizzle-orm";
import { database } from "#platform/database.server.ts";

/** The condition under which the day's checkpoint goes to a user `u` with the creator `c` and the setting `s`. */
export const WANTS_CHECKPOINT = sql`coalesce(s.wants_email, c.user_id is not null and c.suspended_at is null)`;

/** Returns whether a user gets the day's checkpoint by email: active creators do unless they stopped it. */
export async function readCheckpointEmailSetting(userId: string): Promise<boolean> {
  const { rows } = await database().execute<{ wantsEmail: boolean }>(sql`
    select ${WANTS_CHECKPOINT} as "wantsEmail" from users u
    left join creators c on c.user_id = u.id
    left join checkpoint_email_settings s on s.user_id = u.id
    where u.id = ${userId} and u.closed_at is null`);
  return rows[0]?.wantsEmail ?? false;
}
