import {
  MailButton,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Sent to the new address, which must be confirmed before it is used. */
export async function renderChangeEmailEmail({ name, link }: { name: string; link: string }) {
  const email = (
    <MailLayout
      preview="Confirm the new address of your Furlong account."
      heading="Confirm your new address"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        You asked to use this address for your Furlong account. Confirm it to make the change. The
        link works once and expires in 24 hours.
      </MailText>
      <MailButton href={link}>Confirm new address</MailButton>
      <MailNote>If you didn't ask for this, ignore this email. Nothing will change.</MailNote>
    </MailLayout>
  );
  return { subject: "Confirm your new address", ...(await renderEmail(email)) };
}

/** Sent to the previous address. */
export async function renderEmailChangedEmail({
  name,
  supportAddress,
}: {
  name: string;
  supportAddress: string;
}) {
  const email = (
    <MailLayout
      preview="The address of your Furlong account was changed."
      heading="Your email address was changed"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        Your Furlong account now uses another email address, and this one no longer signs you in. If
        this wasn't you, email {supportAddress} immediately.
      </MailText>
    </MailLayout>
  );
  return { subject: "Your email address was changed", ...(await renderEmail(email)) };
}
