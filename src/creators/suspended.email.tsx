import {
  EmailDetails,
  MailButton,
  MailLayout,
  MailText,
  renderMail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells a creator that they are suspended, and what stays theirs. */
export async function suspendedMail({
  name,
  earnings,
  reason,
}: {
  name: string;
  earnings: string;
  /** As the operator typed it; empty where there is none. */
  reason: string;
}) {
  const subject = "Your Furlong tipster account is suspended";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="Your account is suspended">
        <MailText>
          {`Dear ${name}, we've suspended your tipster account. Your race cards are off sale, and you can't publish tips or enter results.`}
        </MailText>
        {reason ? <EmailDetails rows={[["Reason", reason]]} /> : null}
        <MailText>
          What you have earned stays yours: your earnings, payouts and bank details are open to you
          as before. If you think this is a mistake, answer this mail.
        </MailText>
        <MailButton href={earnings}>See my earnings</MailButton>
      </MailLayout>,
    )),
  };
}
