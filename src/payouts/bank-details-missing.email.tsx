import { BANK_DETAILS_WAIT_HOURS } from "#domain/pay-day.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Renders the pay-day email about missing or unusable bank details. */
export async function renderBankDetailsMissingEmail(creator: {
  name: string;
  /** Details are stored, but banks do not accept them. */
  hasUnusableDetails: boolean;
}) {
  const subject = creator.hasUnusableDetails
    ? "Please enter your bank details again"
    : "Please enter your bank details";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="We need your bank details">
        <MailText>
          {creator.hasUnusableDetails
            ? `Hello ${creator.name}, you have earnings to be paid, but the account holder or bank that you entered contains line breaks or characters that banks don't accept. Your earnings are safe.`
            : `Hello ${creator.name}, you have earnings to be paid, but we don't have your bank details. Your earnings are safe.`}
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
