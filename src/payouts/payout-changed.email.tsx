import { formatCents } from "#domain/format-cents.ts";
import { MIN_PAYOUT_CENTS } from "#domain/pay-day.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Renders the email about an open payout that was reduced, or stopped because less than R100 is left. */
export async function renderPayoutChangedEmail(change: {
  name: string;
  removedCents: number;
  /** Amount still to be paid; null when the payout was stopped. */
  remainingCents: number | null;
}) {
  const { name, removedCents, remainingCents } = change;
  const isStopped = remainingCents === null;
  const subject = isStopped ? "Your payout was stopped" : "Your payout has changed";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>
          {`Hello ${name}, a buyer's payment is being reviewed, so we have to hold what you earned from that sale until it is decided.`}
        </MailText>
        <MailDetails
          rows={[
            ["Held", formatCents(removedCents)],
            ["Left in the payout", isStopped ? "Nothing" : formatCents(remainingCents)],
          ]}
        />
        <MailText>
          {isStopped
            ? `The rest is below ${formatCents(MIN_PAYOUT_CENTS)}. It is payable again and goes into your next payout.`
            : "The rest of the payout goes on as before."}
        </MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/earnings`}>See my earnings</MailButton>
      </MailLayout>,
    )),
  };
}
