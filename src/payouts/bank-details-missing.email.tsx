import { env } from "#platform/env.server.ts";
import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail/mail-layout.email.tsx";

/** Tells a creator on pay day that they would have been paid, had we known where to. */
export async function bankDetailsMissingMail(creator: {
  name: string;
  /** There are details, but the bank would not take them. */
  areUnusable: boolean;
}) {
  const subject = creator.areUnusable
    ? "We could not pay you: please enter your bank details again"
    : "We could not pay you: your bank details are missing";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="We need your bank details">
        <MailText>
          {creator.areUnusable
            ? `Hello ${creator.name}, it is pay day and you have R100 or more to be paid, but the account holder or bank on record contains line breaks or characters that no bank accepts. Your earnings are safe.`
            : `Hello ${creator.name}, it is pay day and you have R100 or more to be paid, but we have no bank details for you. Your earnings are safe.`}
        </MailText>
        <MailText>
          Enter them on your dashboard. 72 hours later you can request a payout, or we make it
          automatically.
        </MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/bank-details`}>
          Enter my bank details
        </MailButton>
      </MailLayout>,
    )),
  };
}
