import { BANK_DETAILS_WAIT_HOURS } from "#domain/pay-day.ts";
import { env } from "#platform/env.server.ts";
import { MailButton, MailLayout, MailText, renderMail } from "#platform/mail/mail-layout.email.tsx";

/** Tells a creator on pay day that they would have been paid, had we known where to. */
export async function bankDetailsMissingMail(creator: {
  name: string;
  /** There are details, but the bank would not take them. */
  areUnusable: boolean;
}) {
  const subject = creator.areUnusable
    ? "Please enter your bank details again"
    : "Please enter your bank details";
  return {
    subject,
    ...(await renderMail(
      <MailLayout preview={subject} heading="We need your bank details">
        <MailText>
          {creator.areUnusable
            ? `Hello ${creator.name}, you have R100 or more to be paid, but the account holder or bank that you entered contains line breaks or characters that banks don't accept. Your earnings are safe.`
            : `Hello ${creator.name}, you have R100 or more to be paid, but we don't have your bank details. Your earnings are safe.`}
        </MailText>
        <MailText>
          Enter your bank details on your dashboard. After {BANK_DETAILS_WAIT_HOURS} hours you can
          request a payout, or we'll pay you on the next pay day.
        </MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/bank-details`}>
          Enter my bank details
        </MailButton>
      </MailLayout>,
    )),
  };
}
