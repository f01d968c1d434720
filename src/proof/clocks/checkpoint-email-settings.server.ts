import { sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { env } from "#platform/env.server.ts";

const TOKEN_CONTEXT = { purpose: "unsubscribe", owner: "checkpoint" };

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

/** Stores whether a user wants the day's checkpoint by email. Does nothing for a closed account. */
export async function setCheckpointEmailSetting(
  userId: string,
  wantsEmail: boolean,
): Promise<void> {
  const at = now().toISOString();
  // Locks the account, so that one that is being closed keeps no setting.
  await database().execute(sql`
    with account as (select id from users where id = ${userId} and closed_at is null for share)
    insert into checkpoint_email_settings (user_id, wants_email, changed_at)
    select id, ${wantsEmail}, ${at} from account
    on conflict (user_id) do update set wants_email = excluded.wants_email, changed_at = excluded.changed_at`);
}

/** Deletes the setting of an account that is closed in this transaction. */
export async function deleteCheckpointEmailSetting(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`delete from checkpoint_email_settings where user_id = ${userId}`);
}

/** Returns the address with which a user stops the emails without signing in. It does not expire. */
export function createUnsubscribeUrl(userId: string): string {
  return `${env().appUrl}/proof/unsubscribe?token=${encrypt(userId, TOKEN_CONTEXT)}`;
}

/** Returns the user whose unsubscribe link has this token, or null. */
export function parseUnsubscribeToken(token: string): string | null {
  try {
    const userId = decrypt(token, TOKEN_CONTEXT);
    return isId(userId) ? userId : null;
  } catch {
    return null;
  }
}
