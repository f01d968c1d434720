import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** The email to a buyer whose coins were refunded because the race card is void. */
export async function renderVoidRefundEmail(refund: {
  name: string;
  tipster: string;
  venue: string;
  raceDate: CalendarDate;
  repaidCoins: number;
}) {
  const coins = formatCoins(CARD_PRICE_COINS);
  const subject = `We have returned your ${coins} for ${refund.venue}`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="We have returned your coins">
        <MailText>
          {`Hello ${refund.name}, every race on a race card you opened was declared void, so we have returned your coins.`}
        </MailText>
        <MailDetails
          rows={[
            ["Race card", `${refund.venue}, ${formatDate(refund.raceDate)}`],
            ["Tipster", refund.tipster],
            ["Returned", coins],
            ...(refund.repaidCoins > 0
              ? [
                  ["Used to repay coins you owed", formatCoins(refund.repaidCoins)] as [
                    string,
                    string,
                  ],
                ]
              : []),
          ]}
        />
        <MailText>You can still read the race card.</MailText>
        <MailButton href={`${env().appUrl}/`}>See today's race cards</MailButton>
      </MailLayout>,
    )),
  };
}
