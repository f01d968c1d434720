import {
  MailButton,
  MailLayout,
  MailLink,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

type ConfirmEmailParams = { name: string; confirmLink: string; disownLink: string };

/**
 * Sent after registration, with a link that confirms the address and one that reports a
 * registration by someone else.
 */
export async function renderConfirmEmailEmail({
  name,
  confirmLink,
  disownLink,
}: ConfirmEmailParams) {
  const email = (
    <MailLayout
      preview="Confirm your email to activate your Furlong account."
      heading="Confirm your email address"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        Thank you for joining Furlong. Please confirm that this is your email address. The link
        works once and expires in 24 hours.
      </MailText>
      <MailButton href={confirmLink}>Confirm email address</MailButton>
      <MailNote>
        Didn't create this account? <MailLink href={disownLink}>This was not me</MailLink> removes
        it.
      </MailNote>
    </MailLayout>
  );
  return { subject: "Confirm your email address", ...(await renderEmail(email)) };
}
