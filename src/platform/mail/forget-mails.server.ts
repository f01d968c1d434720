import { and, eq, isNotNull, isNull, lt, ne, or } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { alerts, mails } from "#platform/tables.server.ts";

/** Stands where a mail's address stood. */
const FORGOTTEN = "forgotten";
const NO_PERSON = {
  recipient: FORGOTTEN,
  userId: null,
  subject: FORGOTTEN,
  text: null,
  html: null,
  failure: null,
};

/** Takes out of the mails asked for before an instant whom they went to and what they said. */
export async function deleteOldMails(before: Date): Promise<void> {
  await database()
    .update(mails)
    .set(NO_PERSON)
    .where(and(lt(mails.createdAt, before), ne(mails.recipient, FORGOTTEN)));
}

/** The same for the mails to one person, as far as they are delivered or given up. */
export async function deleteMailsTo(
  tx: Tx,
  person: { userId: string; email: string },
): Promise<void> {
  await tx
    .update(mails)
    .set(NO_PERSON)
    .where(
      and(
        or(eq(mails.userId, person.userId), eq(mails.recipient, person.email)),
        or(isNotNull(mails.sentAt), isNotNull(mails.failedAt)),
      ),
    );
  // What is still on its way arrives; from then on nothing leads from it to the account.
  await tx
    .update(mails)
    .set({ userId: null })
    .where(and(eq(mails.userId, person.userId), isNull(mails.sentAt)));
}

/** Removes the alerts that were settled before an instant. */
export async function deleteOldAlerts(before: Date): Promise<void> {
  await database().delete(alerts).where(lt(alerts.resolvedAt, before));
}
