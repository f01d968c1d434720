import {
  MailButton,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells a creator about the reinstatement. */
export async function renderReinstatedEmail({
  name,
  dashboard,
}: {
  name: string;
  dashboard: string;
}) {
  const subject = "Your Furlong suspension has been lifted";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="Welcome back">
        <MailText>
          {`Hello ${name}, your suspension has been lifted. Race cards with races still to run are back on sale, and you can publish tips and enter results again.`}
        </MailText>
        <MailButton href={dashboard}>Open my dashboard</MailButton>
      </MailLayout>,
    )),
  };
}
