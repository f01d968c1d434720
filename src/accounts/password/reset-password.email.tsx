import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Sent when a user has forgotten the password. */
export async function renderResetPasswordEmail({ name, link }: { name: string; link: string }) {
  const email = (
    <MailLayout preview="Choose a new password for Furlong." heading="Choose a new password">
      <MailText>Hello {name},</MailText>
      <MailText>
        You asked to reset your password. The link works once and expires in one hour. A new
        password logs you out everywhere.
      </MailText>
      <MailButton href={link}>Choose a new password</MailButton>
      <MailNote>
        If you didn't ask for this, ignore this email. Your password won't change.
      </MailNote>
    </MailLayout>
  );
  return { subject: "Choose a new password", ...(await renderEmail(email)) };
}
