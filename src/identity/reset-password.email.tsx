import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderMail,
} from "#platform/mail-layout.email.tsx";

/** To someone who has forgotten their password. */
export async function resetPasswordMail({ name, link }: { name: string; link: string }) {
  const mail = (
    <MailLayout preview="Choose a new password for Furlong." heading="Choose a new password">
      <MailText>Hello {name},</MailText>
      <MailText>
        You asked for a new password. The link is good for an hour and works once. Choosing a new
        password signs you out everywhere.
      </MailText>
      <MailButton href={link}>Choose a new password</MailButton>
      <MailNote>You did not ask for this? Then do nothing: your password stays as it is.</MailNote>
    </MailLayout>
  );
  return { subject: "Choose a new password", ...(await renderMail(mail)) };
}
