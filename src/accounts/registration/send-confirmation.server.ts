import { eq } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { createEmailLink, findRegistrationBrowser } from "../email-links.server.ts";
import { readPasswordHash } from "../password/credentials.server.ts";
import { users } from "../tables.server.ts";
import { renderConfirmEmailEmail } from "./confirm-email.email.tsx";

/**
 * Sends an unconfirmed user a link that confirms the address and one that removes the account, in
 * the caller's transaction. `browserHash` identifies the browser that confirming signs in. A user without a
 * password confirms the address by choosing one.
 */
export async function sendConfirmation(
  tx: Tx,
  userId: string,
  { browserHash = null }: { browserHash?: string | null } = {},
): Promise<void> {
  const [user] = await tx
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return;
  const { email, name } = user;
  const link = { userId, email, browserHash };
  const hasPassword = (await readPasswordHash(userId, tx)) !== null;
  const confirmLink = await createEmailLink(tx, {
    ...link,
    purpose: hasPassword ? "confirm-email" : "set-password",
  });
  const disownLink = await createEmailLink(tx, { ...link, purpose: "disown" });
  await enqueueEmail(tx, {
    to: email,
    // Not linked to the account, which one of its links can delete.
    userId: null,
    kind: "confirm-email",
    ...(await renderConfirmEmailEmail({ name, hasPassword, confirmLink, disownLink })),
  });
}

/**
 * Sends the confirmation again. Confirming signs in the browser that registered, not the one that
 * requested the email.
 */
export async function sendConfirmationAgain(tx: Tx, userId: string): Promise<void> {
  await sendConfirmation(tx, userId, { browserHash: await findRegistrationBrowser(tx, userId) });
}
