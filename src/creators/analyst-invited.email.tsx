import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderMail,
} from "#platform/mail-layout.email.tsx";

/** Tells someone that they write for Furlong as an analyst, with the one step that is left to them. */
export async function analystInvitedMail(invitation: {
  name: string;
  displayName: string;
  hasAccount: boolean;
  link: string;
}) {
  const subject = "You are invited to write for Furlong";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="Welcome to the analysts">
        <MailText>
          {`Dear ${invitation.name}, you are invited to write for Furlong as an analyst. Your tips appear under the name ${invitation.displayName}, and you earn R28.00 each time someone opens one of your race cards.`}
        </MailText>
        <MailText>
          {invitation.hasAccount
            ? "One step is left: accept the role in the account you have already. Its password is your access code to the analyst portal from then on."
            : "One step is left: set a password. It is your access code to the analyst portal."}
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
