import { eq } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { createEmailLink, findRegistrationBrowser } from "../email-links.server.ts";
import { users } from "../tables.server.ts";
import { confirmEmailMail } from "./confirm-email.email.tsx";

/**
 * Mails an unconfirmed user the link that confirms their address and the one that removes the
 * account, within the caller's transaction. `browserHash` is the browser that confirming signs in.
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
  const confirmLink = await createEmailLink(tx, { ...link, purpose: "confirm-email" });
  const disownLink = await createEmailLink(tx, { ...link, purpose: "disown" });
  await enqueueMail(tx, {
    to: email,
    // Not tied to the account, which a link in it can remove.
    userId: null,
    kind: "confirm-email",
    ...(await confirmEmailMail({ name, confirmLink, disownLink })),
  });
}

/** The same once more: whoever asks for it, confirming signs in the browser that registered. */
export async function sendConfirmationAgain(tx: Tx, userId: string): Promise<void> {
  await sendConfirmation(tx, userId, { browserHash: await findRegistrationBrowser(tx, userId) });
}
