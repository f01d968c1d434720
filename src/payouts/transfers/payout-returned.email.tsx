import { formatCents } from "#domain/format-cents.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Sent to the creator when a bank sends back a payout that was paid. */
export async function renderPayoutReturnedEmail(payout: {
  name: string;
  amountCents: number;
  accountLast4: string | null;
}) {
  const subject = "Your bank sent back your payout";
  const account = payout.accountLast4
    ? `the account ending in ${payout.accountLast4}`
    : "your account";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>
          {`Hello ${payout.name}, the bank of ${account} sent back the ${formatCents(payout.amountCents)} that we had paid. What you earned is payable again and goes into your next payout.`}
        </MailText>
        <MailText>Please check your bank details, so that the next payout arrives.</MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/bank-details`}>
          Check my bank details
        </MailButton>
      </MailLayout>,
    )),
  };
}
