import { and, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { createTransport, type Transporter } from "nodemailer";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueue, enqueueBulk, type Job } from "#platform/queue.server.ts";
import { emails } from "#platform/tables.server.ts";
import type { EmailKind } from "./email-kinds.ts";

export type Email = {
  to: string;
  userId?: string | null;
  kind: EmailKind;
  subject: string;
  text: string;
  html: string;
  /** The URL that unsubscribes the recipient from emails of this kind, also with one click in mail programs. */
  unsubscribeUrl?: string | null;
};

/** Stores and enqueues an email within the caller's transaction. It is sent after the commit. */
export async function enqueueEmail(tx: Tx, email: Email): Promise<void> {
  const [row] = await tx
    .insert(emails)
    .values({
      recipient: email.to,
      userId: email.userId ?? null,
      kind: email.kind,
      subject: email.subject,
      text: email.text,
      html: email.html,
      unsubscribeUrl: email.unsubscribeUrl ?? null,
      createdAt: now(),
    })
    .returning({ id: emails.id });
  if (!row) throw new Error("the insert returned no row");
  await enqueue(tx, sendEmail, { emailId: row.id });
}

const BULK_EMAILS_PER_STATEMENT = 500;

/**
 * Stores and enqueues emails to many recipients within the caller's transaction. They have a lower priority in
 * the queue than single emails.
 */
export async function enqueueBulkEmails(tx: Tx, messages: readonly Email[]): Promise<void> {
  for (let index = 0; index < messages.length; index += BULK_EMAILS_PER_STATEMENT) {
    const rows = await tx
      .insert(emails)
      .values(
        messages.slice(index, index + BULK_EMAILS_PER_STATEMENT).map(({ to, ...email }) => ({
          ...email,
          recipient: to,
          createdAt: now(),
        })),
      )
      .returning({ id: emails.id });
    await enqueueBulk(
      tx,
      sendEmail,
      rows.map(({ id }) => ({ emailId: id })),
    );
  }
}

const MIN_RESEND_INTERVAL_MS = 60_000;

/**
 * Enqueues an email again, within the caller's transaction: a failed one, or a copy of a sent one
 * whose text is still stored. Returns 'waiting' while it or a recent copy is in the queue, and
 * 'no-text' when the text is no longer stored.
 */
export async function resendEmail(
  tx: Tx,
  emailId: string,
): Promise<"queued" | "waiting" | "no-text" | "no-such-email"> {
  const [email] = await tx.select().from(emails).where(eq(emails.id, emailId)).for("update");
  if (!email) return "no-such-email";
  const recentCopies = await tx.$count(
    emails,
    and(
      eq(emails.recipient, email.recipient),
      eq(emails.kind, email.kind),
      gt(emails.createdAt, new Date(now().getTime() - MIN_RESEND_INTERVAL_MS)),
      ne(emails.id, emailId),
    ),
  );
  if (recentCopies > 0 || (!email.sentAt && !email.failedAt)) return "waiting";
  const { text, html } = email;
  if (text === null) return "no-text";
  if (email.sentAt) {
    await enqueueEmail(tx, { ...email, to: email.recipient, text, html: html ?? "" });
    return "queued";
  }
  await tx
    .update(emails)
    .set({ failedAt: null, failure: null, dismissedAt: null })
    .where(eq(emails.id, emailId));
  await enqueue(tx, sendEmail, { emailId });
  return "queued";
}

/**
 * Dismisses a failed email, within the caller's transaction: it is no longer listed and not tried again until it is
 * resent. Returns 'dismissed-before' when it was dismissed already.
 */
export async function dismissFailedEmail(
  tx: Tx,
  emailId: string,
): Promise<"dismissed" | "dismissed-before" | "not-failed" | "no-such-email"> {
  const [email] = await tx.select().from(emails).where(eq(emails.id, emailId)).for("update");
  if (!email) return "no-such-email";
  if (email.dismissedAt) return "dismissed-before";
  if (!email.failedAt) return "not-failed";
  await tx.update(emails).set({ dismissedAt: now() }).where(eq(emails.id, emailId));
  return "dismissed";
}

/** An email that could not be delivered for this time is shown to the operator. */
const FAILED_AFTER_MS = 15 * 60_000;

/**
 * Delivers a queued email once. Marks it as failed when that has not succeeded for a quarter of an hour, and tries for a
 * day, as long as an outage of the mail server may take, unless it is dismissed.
 */
export const sendEmail: Job<{ emailId: string }> = {
  name: "send-email",
  retries: 36,
  async run({ emailId }, { isLast }) {
    const [email] = await database().select().from(emails).where(eq(emails.id, emailId));
    if (!email || email.sentAt || email.dismissedAt || email.text === null) return;
    try {
      await deliver({
        to: email.recipient,
        subject: email.subject,
        text: email.text,
        html: email.html,
        unsubscribeUrl: email.unsubscribeUrl,
      });
    } catch (error) {
      if (isLast || now().getTime() - email.createdAt.getTime() >= FAILED_AFTER_MS)
        await database()
          .update(emails)
          .set({ failedAt: now(), failure: error instanceof Error ? error.message : "unknown" })
          .where(eq(emails.id, emailId));
      throw error;
    }
    await transaction(async (tx) => {
      await tx
        .update(emails)
        .set({
          sentAt: now(),
          failedAt: null,
          failure: null,
          // Outside the demo the links of a sent email are not stored.
          ...(env().mode === "production" ? { text: null, html: null, unsubscribeUrl: null } : {}),
        })
        .where(and(eq(emails.id, emailId), isNull(emails.sentAt)));
    });
  },
};

let transport: Transporter | null = null;

function createSmtpTransport(smtpUrl: string): Transporter {
  return createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 20_000 });
}

/** Connects and authenticates to a mail server without sending anything. Throws on failure. */
export async function verifyMailServer(smtpUrl: string): Promise<void> {
  const testTransport = createSmtpTransport(smtpUrl);
  try {
    await testTransport.verify();
  } finally {
    testTransport.close();
  }
}

async function deliver({
  unsubscribeUrl,
  ...email
}: {
  to: string;
  subject: string;
  text: string;
  html: string | null;
  unsubscribeUrl: string | null;
}) {
  const { smtpUrl, from, supportTo } = env().mail;
  // Without a mail server the demo shows emails on its mailbox page, which reads the table.
  if (!smtpUrl) return;
  transport ??= createSmtpTransport(smtpUrl);
  // Replies go to an address that is read, not to the sender's address.
  await transport.sendMail({
    from,
    replyTo: supportTo,
    ...email,
    html: email.html ?? undefined,
    headers: unsubscribeUrl
      ? {
          "List-Unsubscribe": `<${unsubscribeUrl}>`,
          // RFC 8058: the mail program sends a POST request to the address.
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
      : {},
  });
}

/** Returns the sent emails for the demo's mailbox page, newest first. */
export async function readMailbox(limit = 100) {
  return await database()
    .select({
      to: emails.recipient,
      subject: emails.subject,
      text: sql<string>`coalesce(${emails.text}, '')`,
      html: sql<string>`coalesce(${emails.html}, '')`,
      sentAt: emails.sentAt,
    })
    .from(emails)
    .where(sql`${emails.sentAt} is not null`)
    .orderBy(desc(emails.createdAt), desc(emails.id))
    .limit(limit);
}
