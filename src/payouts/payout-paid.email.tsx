import { formatInstant } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Sent to the creator when an admin marks a payout as paid. */
export async function renderPayoutPaidEmail(payout: {
  name: string;
  amountCents: number;
  sales: number;
  accountLast4: string | null;
  paidAt: Date;
}) {
  const amount = formatCents(payout.amountCents);
  const subject = `We have paid you ${amount}`;
  const rows: [string, string][] = [
    ["Amount", amount],
    ["Race cards sold", String(payout.sales)],
    ...(payout.accountLast4
      ? [["Paid into account", `ending in ${payout.accountLast4}`] as [string, string]]
      : []),
    ["Paid", formatInstant(payout.paidAt)],
  ];
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="Your payout has been paid">
        <MailText>
          {`Hello ${payout.name}, we have made the transfer. It can take your bank up to two working days to show it.`}
        </MailText>
        <MailDetails rows={rows} />
        <MailButton href={`${env().appUrl}/tipster-dashboard/earnings`}>See my earnings</MailButton>
      </MailLayout>,
    )),
  };
}
