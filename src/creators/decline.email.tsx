import { MailLayout, MailText, renderMail } from "#platform/mail-layout.email.tsx";

/** Tells an applicant that it is a no this time, and why where the operator has said so. */
export async function declineMail({ name, reason }: { name: string; reason: string }) {
  const subject = "Your Furlong tipster application";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="Not this time">
        <MailText>
          {`Dear ${name}, thank you for applying to write for Furlong. We have read your application and cannot take you on for now.`}
        </MailText>
        {reason ? <MailText>{reason}</MailText> : null}
        <MailText>You are welcome to apply again when you have more of a record to show.</MailText>
      </MailLayout>,
    )),
  };
}
