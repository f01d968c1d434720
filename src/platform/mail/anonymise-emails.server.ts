import { and, eq, isNotNull, isNull, lt, ne, or } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { alerts, mails } from "#platform/tables.server.ts";

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
    .update(mails)
    .set(ANONYMOUS_VALUES)
    .where(and(lt(mails.createdAt, before), ne(mails.recipient, ANONYMISED)));
}

/** Anonymises the emails to one person that were delivered or have failed. */
export async function anonymiseEmailsTo(
  tx: Tx,
  person: { userId: string; email: string },
): Promise<void> {
  await tx
    .update(mails)
    .set(ANONYMOUS_VALUES)
    .where(
      and(
        or(eq(mails.userId, person.userId), eq(mails.recipient, person.email)),
        or(isNotNull(mails.sentAt), isNotNull(mails.failedAt)),
      ),
    );
  // Emails still in the queue are delivered, but no longer linked to the account.
  await tx
    .update(mails)
    .set({ userId: null })
    .where(and(eq(mails.userId, person.userId), isNull(mails.sentAt)));
}

/** Deletes the alerts that were resolved before an instant. */
export async function deleteOldAlerts(before: Date): Promise<void> {
  await database().delete(alerts).where(lt(alerts.resolvedAt, before));
}
