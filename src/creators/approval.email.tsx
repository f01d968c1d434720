import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderMail,
} from "#platform/mail-layout.email.tsx";

/** Tells an applicant that they are approved, with the one step that is left to them. */
export async function approvalMail(approval: {
  name: string;
  displayName: string;
  hasAccount: boolean;
  link: string;
}) {
  const subject = "You are approved as a Furlong tipster";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="Welcome to the tipsters">
        <MailText>
          {`Dear ${approval.name}, your application has been approved. You will appear as ${approval.displayName}, and you earn R28.00 each time someone opens one of your race cards.`}
        </MailText>
        <MailText>
          {approval.hasAccount
            ? "You have an account with this address already. Sign in to it and accept the role, and your dashboard is open."
            : "One step is left: set a password, and your dashboard is open."}
        </MailText>
        <MailButton href={approval.link}>
          {approval.hasAccount ? "Accept the role" : "Set my password"}
        </MailButton>
        <MailNote>
          If you did not apply, leave this be: nothing happens until the link has been used.
        </MailNote>
      </MailLayout>,
    )),
  };
}
