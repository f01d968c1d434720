import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail-layout.email.tsx";

/** To the owner of an account whose password is not what it was. */
export async function passwordChangedMail({
  name,
  resetPage,
}: {
  name: string;
  resetPage: string;
}) {
  const mail = (
    <MailLayout
      preview="The password of your Furlong account was changed."
      heading="Your password was changed"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        The password of your account was changed just now, and every other browser has been signed
        out. If that was you, there is nothing more to do.
      </MailText>
      <MailText>If it was not you, choose a new password at once and write to us.</MailText>
      <MailButton href={resetPage}>That was not me</MailButton>
    </MailLayout>
  );
  return { subject: "Your password was changed", ...(await renderMail(mail)) };
}
