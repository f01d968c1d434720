import { and, asc, desc, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { isAfterCursor, toPage } from "#platform/keyset-paging.server.ts";
import { emails } from "#platform/tables.server.ts";

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
  id: emails.id,
  recipient: emails.recipient,
  userId: emails.userId,
  kind: emails.kind,
  subject: emails.subject,
  createdAt: emails.createdAt,
  sentAt: emails.sentAt,
  failedAt: emails.failedAt,
  failure: emails.failure,
  hasText: sql<boolean>`${emails.text} is not null`,
};

/** Returns the emails to a person, by account and by address, newest first, optionally only those earlier than `before`. */
export async function listEmailsTo(
  person: { userId: string; email: string },
  { before, limit = 20 }: { before?: Date | null; limit?: number } = {},
): Promise<EmailSummary[]> {
  return await database()
    .select(COLUMNS)
    .from(emails)
    .where(
      and(
        or(eq(emails.userId, person.userId), eq(emails.recipient, person.email)),
        before ? lt(emails.createdAt, before) : undefined,
      ),
    )
    .orderBy(desc(emails.createdAt), desc(emails.id))
    .limit(limit);
}

const isOpenFailure = and(isNotNull(emails.failedAt), isNull(emails.dismissedAt));

/** Returns a page of the emails that could not be delivered and were not dismissed, oldest failure first. */
export async function listFailedEmails({
  cursor,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ emails: EmailSummary[]; next: string | null }> {
  const rows = await database()
    .select(COLUMNS)
    .from(emails)
    .where(and(isOpenFailure, isAfterCursor(emails.failedAt, emails.id, cursor, "oldest")))
    .orderBy(asc(emails.failedAt), asc(emails.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { emails: page, next };
}

/** Returns the number of emails that could not be delivered and were not dismissed. */
export async function countFailedEmails(): Promise<number> {
  return await database().$count(emails, isOpenFailure);
}

/** Returns an email by id, or null. */
export async function findEmail(id: string, tx?: Tx): Promise<EmailSummary | null> {
  const [email] = await (tx ?? database()).select(COLUMNS).from(emails).where(eq(emails.id, id));
  return email ?? null;
}
