import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells a creator about the suspension and what remains available. */
export async function renderSuspendedEmail({
  name,
  earnings,
  reason,
}: {
  name: string;
  earnings: string;
  /** The admin's reason; empty if there is none. */
  reason: string;
}) {
  const { supportTo } = env().mail;
  const subject = "Your Furlong tipster account is suspended";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="Your account is suspended">
        <MailText>
          {`Hello ${name}, we've suspended your tipster account. Your race cards are off sale, and you can't publish tips or enter results.`}
        </MailText>
        {reason ? <MailDetails rows={[["Reason", reason]]} /> : null}
        <MailText>
          You keep what you have earned and can still see your earnings, payouts and bank details.
          If you think this is a mistake, email {supportTo}.
        </MailText>
        <MailButton href={earnings}>See my earnings</MailButton>
      </MailLayout>,
    )),
  };
}
