import {
  MailButton,
  MailLayout,
  MailLink,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

type ConfirmEmailParams = {
  name: string;
  /** Without a password, the link leads to the page that sets it. */
  hasPassword: boolean;
  confirmLink: string;
  disownLink: string;
};

/**
 * Sent after registration, with a link that confirms the address and one that reports a
 * registration by someone else.
 */
export async function renderConfirmEmailEmail({
  name,
  hasPassword,
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
        Thank you for joining Furlong. Please confirm that this is your email address
        {hasPassword
          ? ". The link works once and expires in 24 hours."
          : " by choosing a password, because your account has none. The link works once and expires in seven days."}
      </MailText>
      <MailButton href={confirmLink}>
        {hasPassword ? "Confirm email address" : "Choose a password"}
      </MailButton>
      <MailNote>
        Didn't create this account? <MailLink href={disownLink}>This was not me</MailLink> removes
        it.
      </MailNote>
    </MailLayout>
  );
  return { subject: "Confirm your email address", ...(await renderEmail(email)) };
}
