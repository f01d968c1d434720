import {
  MailButton,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Sent to the account owner after a password change. */
export async function renderPasswordChangedEmail({
  name,
  resetUrl,
}: {
  name: string;
  resetUrl: string;
}) {
  const email = (
    <MailLayout
      preview="The password of your Furlong account was changed."
      heading="Your password was changed"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        The password for your Furlong account has just been changed, and all other devices have been
        logged out. If this was you, you don't need to do anything.
      </MailText>
      <MailText>If this wasn't you, reset your password now and contact us.</MailText>
      <MailButton href={resetUrl}>Reset my password</MailButton>
    </MailLayout>
  );
  return { subject: "Your password was changed", ...(await renderEmail(email)) };
}
