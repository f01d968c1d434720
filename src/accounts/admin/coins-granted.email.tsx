import { formatCoins } from "#domain/coins.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";

/** Tells a user about a coin grant and its reason. */
export async function renderCoinsGrantedEmail(grant: {
  name: string;
  amountCoins: number;
  repaidCoins: number;
  balanceCoins: number;
  reason: string;
}) {
  const coins = formatCoins(grant.amountCoins);
  const subject = `You have received ${coins}`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>{`Hello ${grant.name}, we have added ${coins} to your wallet.`}</MailText>
        <MailDetails
          rows={[
            ["Reason", grant.reason],
            ...(grant.repaidCoins > 0
              ? [
                  ["Used to repay what you owed", formatCoins(grant.repaidCoins)] as [
                    string,
                    string,
                  ],
                ]
              : []),
            ["Your balance", formatCoins(grant.balanceCoins)],
          ]}
        />
        <MailButton href={`${env().appUrl}/`}>See today's race cards</MailButton>
      </MailLayout>,
    )),
  };
}
