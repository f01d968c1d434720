import { formatCents } from "#domain/format-cents.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Invites someone to be an analyst, with a link to set a password or accept the role. */
export async function renderAnalystInvitedEmail(invitation: {
  name: string;
  displayName: string;
  hasAccount: boolean;
  /** What the creator earns per sale today. */
  earningCents: number;
  link: string;
}) {
  const { supportTo } = env().mail;
  const subject = "You're invited to be a Furlong analyst";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="You're invited to be an analyst">
        <MailText>
          {`Hello ${invitation.name}, we'd like you to publish tips on Furlong as an analyst. Your tips appear under the name ${invitation.displayName}, and you earn ${formatCents(invitation.earningCents)} each time someone opens one of your race cards.`}
        </MailText>
        <MailText>
          {invitation.hasAccount
            ? "Accept the role using your existing account. Your password is your access code for the analyst portal."
            : "Set a password. It is your access code for the analyst portal. The link works once and expires in seven days."}
        </MailText>
        <MailButton href={invitation.link}>
          {invitation.hasAccount ? "Accept the role" : "Set my password"}
        </MailButton>
        <MailNote>
          If you weren't expecting this, ignore it and let us know at {supportTo}.
        </MailNote>
      </MailLayout>,
    )),
  };
}
