import { sql } from "drizzle-orm";
import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { enqueueBulkEmails } from "#platform/mail/mailer.server.ts";
import { createUnsubscribeUrl } from "#platform/mail/unsubscribe-links.server.ts";
import type { Job } from "#platform/queue.server.ts";
import type { SignedCheckpoint } from "../log/read-log.server.ts";
import { WANTS_CHECKPOINT } from "./checkpoint-email-settings.server.ts";

/** Emails the day's checkpoint soon after the manifest of the day is in the log. */
export const emailCheckpointJob: Job = {
  name: "email-checkpoint",
  everySeconds: 10,
  async run() {
    await emailCheckpoint();
  },
};

/** Replaced by each recipient's link, so that the email is rendered once. */
const UNSUBSCRIBE_PLACEHOLDER = "https://furlong.invalid/unsubscribe";

/**
 * Enqueues the email with the first checkpoint that covers today's manifest, once per day and recipient. Returns the
 * number of emails: 0 before the manifest, from the first off of the day, and while the log is stopped.
 */
export async function emailCheckpoint(): Promise<number> {
  const at = now();
  const date = dateAt(at);
  const checkpoint = await findCheckpointToEmail(date, at);
  if (!checkpoint) return 0;
  // Commands import this feature without a build, and Node.js cannot load .tsx files.
  const { renderCheckpointEmail } = await import("./checkpoint.email.tsx");
  const { subject, text, html } = await renderCheckpointEmail({
    ...checkpoint,
    date,
    unsubscribeUrl: UNSUBSCRIBE_PLACEHOLDER,
  });
  return await transaction(async (tx) => {
    const { rows: recipients } = await tx.execute<{ id: string; email: string }>(sql`
      select u.id, u.email
      from (select user_id from creators union select user_id from checkpoint_email_settings) candidate
      join users u on u.id = candidate.user_id
      left join creators c on c.user_id = u.id
      left join checkpoint_email_settings s on s.user_id = u.id
      where ${WANTS_CHECKPOINT} and u.email_verified and u.closed_at is null
      order by u.id`);
    // Of two processes at once, the second waits for the first to commit and then inserts nothing.
    const { rowCount } = await tx.execute(sql`
      insert into proof_checkpoint_emails (date, size, recipients, created_at)
      values (${date}, ${checkpoint.firstIndex + checkpoint.size}, ${recipients.length}, ${at.toISOString()})
      on conflict do nothing`);
    if (!rowCount) return 0;
    await enqueueBulkEmails(
      tx,
      recipients.map(({ id, email }) => {
        const unsubscribeUrl = createUnsubscribeUrl("checkpoint", id);
        return {
          to: email,
          userId: id,
          kind: "checkpoint",
          subject,
          text: text.replaceAll(UNSUBSCRIBE_PLACEHOLDER, unsubscribeUrl),
          html: html.replaceAll(UNSUBSCRIBE_PLACEHOLDER, unsubscribeUrl),
          unsubscribeUrl,
        };
      }),
    );
    return recipients.length;
  });
}

async function findCheckpointToEmail(
  date: CalendarDate,
  at: Date,
): Promise<SignedCheckpoint | null> {
  const { rows } = await database().execute<{ firstIndex: string; size: string; note: string }>(sql`
    select l.first_index as "firstIndex", c.size - l.first_index as size, c.note
    from proof_logs l
    join proof_manifests m on m.entry_index >= l.first_index
    cross join lateral (
      select size, note from proof_checkpoints where size > m.entry_index order by size limit 1
    ) c
    where m.date = ${date}
      and l.closed_at is null and l.unconfirmed_since is null
      and not exists (select from proof_checkpoint_emails where date = m.date)
      and not exists (
        select from race_off_times where race_date = m.date and off_at <= ${at.toISOString()})`);
  const [row] = rows;
  return row
    ? { firstIndex: Number(row.firstIndex), size: Number(row.size), note: row.note }
    : null;
}
