import { createPasswordLink, renderInvitationEmail } from "#accounts/accounts.server.ts";
import { formatCents } from "#domain/format-cents.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { readSaleTerms } from "#wallet/wallet.server.ts";
import type { Invitation } from "./invitations.server.ts";

type Recipient = { id: string; name: string; email: string };

const WORDS = {
  analyst: {
    subject: "You're invited to be a Furlong analyst",
    heading: "You're invited to be an analyst",
    news: "we'd like you to publish tips on Furlong as an analyst. Your tips appear under the name",
    withAccount:
      "Accept the role using your existing account. Your password is your access code for the analyst portal.",
    withoutAccount:
      "Set a password. It is your access code for the analyst portal. The link works once and expires in seven days.",
    note: undefined,
  },
  tipster: {
    subject: "Your Furlong tipster application is approved",
    heading: "Welcome to the tipsters",
    news: "your application has been approved. You will appear as",
    withAccount:
      "You already have an account with this email address. Log in and accept the role to open your dashboard.",
    withoutAccount:
      "Set a password to open your dashboard. The link works once and expires in seven days.",
    note: "If you didn't apply, ignore this email. Nothing happens unless the link is used.",
  },
} satisfies Record<Invitation["kind"], object>;

/**
 * Emails an analyst's invitation or a tipster's approval in the caller's transaction. The link lets
 * a user with an account accept the role, and a new user set a password.
 */
export async function sendInvitation(
  tx: Tx,
  user: Recipient,
  { kind, displayName }: Pick<Invitation, "kind" | "displayName">,
  hasAccount: boolean,
): Promise<void> {
  const { news, withAccount, withoutAccount, ...words } = WORDS[kind];
  const earning = formatCents((await readSaleTerms(now(), tx)).earningCents);
  const content = await renderInvitationEmail({
    ...words,
    paragraphs: [
      `Hello ${user.name}, ${news} ${displayName}, and you earn ${earning} each time someone opens one of your race cards.`,
      hasAccount ? withAccount : withoutAccount,
    ],
    button: hasAccount ? "Accept the role" : "Set my password",
    link: hasAccount ? `${env().appUrl}/tipster-invitation` : await createPasswordLink(tx, user.id),
  });
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: kind === "analyst" ? "analyst-invited" : "tipster-approved",
    ...content,
  });
}
