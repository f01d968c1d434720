import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderMail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells someone that they write for Furlong as an analyst, with the one step that is left to them. */
export async function analystInvitedMail(invitation: {
  name: string;
  displayName: string;
  hasAccount: boolean;
  link: string;
}) {
  const subject = "You're invited to be a Furlong analyst";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="You're invited to be an analyst">
        <MailText>
          {`Dear ${invitation.name}, we'd like you to publish tips on Furlong as an analyst. Your tips appear under the name ${invitation.displayName}, and you earn R28.00 each time someone opens one of your race cards.`}
        </MailText>
        <MailText>
          {invitation.hasAccount
            ? "Accept the role using your existing account. Your password is your access code for the analyst portal."
            : "Set a password. It is your access code for the analyst portal."}
        </MailText>
        <MailButton href={invitation.link}>
          {invitation.hasAccount ? "Accept the role" : "Set my password"}
        </MailButton>
        <MailNote>
          If you expected no such invitation, leave this be and tell us by answering this mail.
        </MailNote>
      </MailLayout>,
    )),
  };
}
