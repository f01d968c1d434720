import { and, desc, eq, isNotNull, or, sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { isAfterCursor, toPage } from "#platform/keyset-paging.server.ts";
import { mails } from "#platform/tables.server.ts";

/** An email as shown to the operator: recipient and delivery status, without its text. */
export type EmailSummary = {
  id: string;
  recipient: string;
  userId: string | null;
  kind: string;
  subject: string;
  createdAt: Date;
  sentAt: Date | null;
  failedAt: Date | null;
  failure: string | null;
  /** Whether the text is still stored, so that the email can be resent. */
  hasText: boolean;
};

const COLUMNS = {
  id: mails.id,
  recipient: mails.recipient,
  userId: mails.userId,
  kind: mails.kind,
  subject: mails.subject,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
  failedAt: mails.failedAt,
  failure: mails.failure,
  hasText: sql<boolean>`${mails.text} is not null`,
};

/** Returns a page of the emails to a person, by account and by address, newest first. */
export async function listEmailsTo(
  person: { userId: string; email: string },
  { cursor, limit = 20 }: { cursor?: string | null; limit?: number } = {},
): Promise<{ emails: EmailSummary[]; next: string | null }> {
  const rows = await database()
    .select(COLUMNS)
    .from(mails)
    .where(
      and(
        or(eq(mails.userId, person.userId), eq(mails.recipient, person.email)),
        isAfterCursor(mails.createdAt, mails.id, cursor),
      ),
    )
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { emails: page, next };
}

/** Returns a page of the emails that could not be delivered, newest first. */
export async function listFailedEmails({
  cursor,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ emails: EmailSummary[]; next: string | null }> {
  const rows = await database()
    .select(COLUMNS)
    .from(mails)
    .where(and(isNotNull(mails.failedAt), isAfterCursor(mails.failedAt, mails.id, cursor)))
    .orderBy(desc(mails.failedAt), desc(mails.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { emails: page, next };
}

/** Returns the number of emails that could not be delivered. */
export async function countFailedEmails(): Promise<number> {
  return await database().$count(mails, isNotNull(mails.failedAt));
}

/** Returns an email by id, or null. */
export async function findEmail(id: string, tx?: Tx): Promise<EmailSummary | null> {
  const [email] = await (tx ?? database()).select(COLUMNS).from(mails).where(eq(mails.id, id));
  return email ?? null;
}
