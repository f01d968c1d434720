import { MailLayout, MailText, renderEmail } from "#platform/mail/mail-layout.email.tsx";

/** Tells an applicant that the application was declined, with the reason if there is one. */
export async function renderDeclineEmail({ name, reason }: { name: string; reason: string }) {
  const subject = "Your Furlong tipster application";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="About your application">
        <MailText>
          {`Hello ${name}, thank you for applying to be a Furlong tipster. We have read your application and can't accept it at the moment.`}
        </MailText>
        {reason ? <MailText>{reason}</MailText> : null}
        <MailText>You're welcome to apply again.</MailText>
      </MailLayout>,
    )),
  };
}
