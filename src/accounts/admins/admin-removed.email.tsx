import { env } from "#platform/env.server.ts";
import { MailLayout, MailNote, MailText, renderEmail } from "#platform/mail/mail-layout.email.tsx";

/** Sent to someone whose admin role has ended. */
export async function renderAdminRemovedEmail({ name, reason }: { name: string; reason: string }) {
  const { supportTo } = env().mail;
  const subject = "You're no longer a Furlong admin";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>
          {`Hello ${name}, your admin role has ended and you have been logged out on all devices. Your account stays open: you can still log in, buy coins and open race cards.`}
        </MailText>
        <MailText>{`Reason: ${reason}`}</MailText>
        <MailNote>If you think this is a mistake, let us know at {supportTo}.</MailNote>
      </MailLayout>,
    )),
  };
}
