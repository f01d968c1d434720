import { and, desc, eq, isNotNull, or, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, type Tx } from "#platform/database.server.ts";
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
): Promise<{ mails: EmailSummary[]; next: string | null }> {
  const rows = await database()
    .select(COLUMNS)
    .from(mails)
    .where(
      and(
        or(eq(mails.userId, person.userId), eq(mails.recipient, person.email)),
        cursor && isId(cursor)
          ? sql`(${mails.createdAt}, ${mails.id}) <
              (select created_at, id from mails where id = ${cursor})`
          : undefined,
      ),
    )
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit + 1);
  return toPage(rows, limit);
}

/** Returns a page of the emails that could not be delivered, newest first. */
export async function listFailedEmails({
  cursor,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ mails: EmailSummary[]; next: string | null }> {
  const rows = await database()
    .select(COLUMNS)
    .from(mails)
    .where(
      and(
        isNotNull(mails.failedAt),
        cursor && isId(cursor)
          ? sql`(${mails.failedAt}, ${mails.id}) <
              (select failed_at, id from mails where id = ${cursor})`
          : undefined,
      ),
    )
    .orderBy(desc(mails.failedAt), desc(mails.id))
    .limit(limit + 1);
  return toPage(rows, limit);
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

function toPage(rows: EmailSummary[], limit: number) {
  const mailsOnPage = rows.slice(0, limit);
  return {
    mails: mailsOnPage,
    next: rows.length > limit ? (mailsOnPage.at(-1)?.id ?? null) : null,
  };
}
