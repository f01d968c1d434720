import { and, desc, eq, isNotNull, or, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { mails } from "#platform/tables.server.ts";

/** A mail as the operator sees it: whom it was for and what became of it, never its text. */
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
  /** What it said is still kept, so that the same can be sent. */
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

/** The mails to a person, by their account and by their address, newest first. */
export async function listMailsTo(
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
  return pageOf(rows, limit);
}

/** The mails that could not be delivered, newest first. */
export async function listFailedMails({
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
  return pageOf(rows, limit);
}

/** How many mails could not be delivered. */
export async function countFailedMails(): Promise<number> {
  return await database().$count(mails, isNotNull(mails.failedAt));
}

/** The mail of an id, or null. */
export async function findMail(id: string, tx?: Tx): Promise<EmailSummary | null> {
  const [mail] = await (tx ?? database()).select(COLUMNS).from(mails).where(eq(mails.id, id));
  return mail ?? null;
}

function pageOf(rows: EmailSummary[], limit: number) {
  const page = rows.slice(0, limit);
  return { mails: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
