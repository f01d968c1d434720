import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { EMAIL_LISTS, type EmailList } from "#platform/mail/unsubscribe-links.server.ts";

const TABLES = {
  checkpoint: sql.identifier("checkpoint_email_settings"),
  results: sql.identifier("results_email_settings"),
};

/** Stores whether a user wants these emails. Does nothing for a closed account. */
export async function setEmailSetting(
  list: EmailList,
  userId: string,
  wantsEmail: boolean,
): Promise<void> {
  const at = now().toISOString();
  // Locks the account, so that one that is being closed keeps no setting.
  await database().execute(sql`
    with account as (select id from users where id = ${userId} and closed_at is null for share)
    insert into ${TABLES[list]} (user_id, wants_email, changed_at)
    select id, ${wantsEmail}, ${at} from account
    on conflict (user_id) do update set wants_email = excluded.wants_email, changed_at = excluded.changed_at`);
}

/** Deletes the settings of an account that is closed in this transaction. */
export async function deleteEmailSettings(tx: Tx, userId: string): Promise<void> {
  for (const list of EMAIL_LISTS)
    await tx.execute(sql`delete from ${TABLES[list]} where user_id = ${userId}`);
}
