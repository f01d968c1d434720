import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail-layout.email.tsx";

/** Tells a creator that they may write again. */
export async function reinstatedMail({ name, dashboard }: { name: string; dashboard: string }) {
  const subject = "Your Furlong tipster account is open again";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="Welcome back">
        <MailText>
          {`Dear ${name}, you are no longer suspended. Your cards are back on sale where their races are still to come, and you can publish tips and enter results again.`}
        </MailText>
        <MailButton href={dashboard}>Open my dashboard</MailButton>
      </MailLayout>,
    )),
  };
}
