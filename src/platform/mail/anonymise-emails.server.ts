import { and, eq, isNotNull, isNull, lt, ne, or } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { alerts, emails } from "#platform/tables.server.ts";

/** Replaces the recipient and subject of an anonymised email. */
const ANONYMISED = "anonymised";
const ANONYMOUS_VALUES = {
  recipient: ANONYMISED,
  userId: null,
  subject: ANONYMISED,
  text: null,
  html: null,
  unsubscribeUrl: null,
  failure: null,
};

/** Anonymises emails created before an instant: removes recipient and content. */
export async function anonymiseOldEmails(before: Date): Promise<void> {
  await database()
    .update(emails)
    .set(ANONYMOUS_VALUES)
    .where(and(lt(emails.createdAt, before), ne(emails.recipient, ANONYMISED)));
}

/** Anonymises the emails to one person that were delivered or have failed. */
export async function anonymiseEmailsTo(
  tx: Tx,
  person: { userId: string; email: string },
): Promise<void> {
  await tx
    .update(emails)
    .set(ANONYMOUS_VALUES)
    .where(
      and(
        or(eq(emails.userId, person.userId), eq(emails.recipient, person.email)),
        or(isNotNull(emails.sentAt), isNotNull(emails.failedAt)),
      ),
    );
  // Emails still in the queue are delivered, but no longer linked to the account.
  await tx
    .update(emails)
    .set({ userId: null })
    .where(and(eq(emails.userId, person.userId), isNull(emails.sentAt)));
}

/** Deletes the alerts that were resolved before an instant. */
export async function deleteOldAlerts(before: Date): Promise<void> {
  await database().delete(alerts).where(lt(alerts.resolvedAt, before));
}
