import { type CalendarDate, formatDate, formatInstant } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/**
 * Renders the email about a new payout, requested by the creator or created by the pay day run, which does not wait for
 * the pay day of a suspended creator.
 */
export async function renderPayoutRequestedEmail(payout: {
  name: string;
  amountCents: number;
  accountLast4: string;
  requestedAt: Date;
  /** The pay day of the run that created it; null when the creator requested it. */
  payDay: CalendarDate | null;
  isFinal: boolean;
}) {
  const amount = formatCents(payout.amountCents);
  const subject = `Your payout of ${amount} is in progress`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="Your payout is in progress">
        <MailText>
          {payout.payDay
            ? payout.isFinal
              ? `Hello ${payout.name}, your account is suspended, so we pay any amount. This payout includes everything payable.`
              : `Hello ${payout.name}, this is your payout from the pay day run of ${formatDate(payout.payDay)}. It includes everything that was payable at the start of that day.`
            : `Hello ${payout.name}, we've received your payout request. It includes everything payable.`}
        </MailText>
        <MailDetails
          rows={[
            ["Amount", amount],
            ["To be paid into account", `ending in ${payout.accountLast4}`],
            ["Requested", formatInstant(payout.requestedAt)],
          ]}
        />
        <MailText>We'll email you when we have made the transfer.</MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/earnings`}>See my earnings</MailButton>
        <MailNote>{`If this isn't your account, email ${env().mail.supportTo} immediately.`}</MailNote>
      </MailLayout>,
    )),
  };
}
