import {
  MailButton,
  MailLayout,
  MailLink,
  MailText,
  renderMail,
} from "#platform/mail-layout.email.tsx";

type AlreadyRegisteredMail = { name: string; signInPage: string; resetPage: string };

/** To the owner of an address that someone tried to register again. */
export async function alreadyRegisteredMail({
  name,
  signInPage,
  resetPage,
}: AlreadyRegisteredMail) {
  const mail = (
    <MailLayout
      preview="Someone tried to open a second account with this address."
      heading="You already have an account"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        Someone, perhaps you, tried to open a Furlong account with this address. It has one, and
        nothing of it was changed.
      </MailText>
      <MailButton href={signInPage}>Sign in</MailButton>
      <MailText>
        Forgotten your password? <MailLink href={resetPage}>Choose a new one</MailLink>. If it was
        not you, there is nothing you need to do.
      </MailText>
    </MailLayout>
  );
  return { subject: "You already have an account", ...(await renderMail(mail)) };
}
