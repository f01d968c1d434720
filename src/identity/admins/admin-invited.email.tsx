import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Invites someone to be an admin. The text is the same whether or not the address has an account. */
export async function renderAdminInvitedEmail({
  invitedBy,
  link,
}: {
  invitedBy: string;
  link: string;
}) {
  const { supportTo } = env().mail;
  const subject = "You're invited to be a Furlong admin";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="You're invited to be an admin">
        <MailText>
          {`${invitedBy} has invited you to help run Furlong as an admin. Use the link to accept. It works once, for seven days.`}
        </MailText>
        <MailText>
          You also need an authenticator app on your phone. The admin area opens once you have set
          up two-step login.
        </MailText>
        <MailButton href={link}>View the invitation</MailButton>
        <MailNote>
          If you weren't expecting this, ignore it and let us know at {supportTo}.
        </MailNote>
      </MailLayout>,
    )),
  };
}
