import { formatInstant } from "#domain/calendar.ts";
import { BANK_DETAILS_WAIT_HOURS } from "#domain/pay-day.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Renders the email about changed bank details. */
export async function renderBankDetailsChangedEmail(change: {
  name: string;
  bank: string;
  accountLast4: string;
  changedAt: Date;
}) {
  const subject = "Your bank details were changed";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="Your bank details were changed">
        <MailText>
          {`Hello ${change.name}, your Furlong earnings will now be paid into this account.`}
        </MailText>
        <MailDetails
          rows={[
            ["Bank", change.bank],
            ["Account", `ending in ${change.accountLast4}`],
            ["Changed", formatInstant(change.changedAt)],
          ]}
        />
        <MailText>
          {`For your security, we don't pay out for ${BANK_DETAILS_WAIT_HOURS} hours after a change.`}
        </MailText>
        <MailButton href={`${env().appUrl}/tipster-dashboard/earnings`}>See my earnings</MailButton>
        <MailNote>
          {`If this wasn't you, someone may know your password. Change it now and email ${env().mail.supportTo}.`}
        </MailNote>
      </MailLayout>,
    )),
  };
}
