import {
  MailButton,
  MailLayout,
  MailLink,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

type AlreadyRegisteredParams = { name: string; loginUrl: string; resetUrl: string };

/** Sent to the owner of an account when someone tries to register its address again. */
export async function renderAlreadyRegisteredEmail({
  name,
  loginUrl,
  resetUrl,
}: AlreadyRegisteredParams) {
  const email = (
    <MailLayout
      preview="Someone tried to create another account with this email address."
      heading="You already have an account"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        Someone, perhaps you, tried to create a Furlong account with this email address. You already
        have an account, and nothing has changed.
      </MailText>
      <MailButton href={loginUrl}>Log in</MailButton>
      <MailText>
        Forgotten your password? <MailLink href={resetUrl}>Choose a new one</MailLink>. If this
        wasn't you, you don't need to do anything.
      </MailText>
    </MailLayout>
  );
  return { subject: "You already have an account", ...(await renderEmail(email)) };
}
