import { formatCoins } from "#domain/coins.ts";
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

/** Renders the email about a refund and the removed coins. */
export async function renderRefundEmail(refund: {
  name: string;
  coinPackTitle: string;
  amountCents: number;
  removedCoins: number;
  owedCoins: number;
}) {
  const amount = formatCents(refund.amountCents);
  const subject = `We have refunded you ${amount}`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>
          {`Hello ${refund.name}, your payment was refunded. It can take your bank up to ten working days to show it.`}
        </MailText>
        <MailDetails
          rows={[
            ["Coin pack", refund.coinPackTitle],
            ["Refunded", amount],
            ["Coins removed", formatCoins(refund.removedCoins)],
            ...(refund.owedCoins > 0
              ? [["Of these, you still owe", formatCoins(refund.owedCoins)] as [string, string]]
              : []),
          ]}
        />
        <MailText>
          {refund.owedCoins > 0
            ? "Race cards you have opened stay open. Your next purchase repays the coins you owe first."
            : "Race cards you have opened stay open."}
        </MailText>
        <MailButton href={`${env().appUrl}/profile`}>See my wallet</MailButton>
        <MailNote>{`If you weren't expecting this, email ${env().mail.supportTo}.`}</MailNote>
      </MailLayout>,
    )),
  };
}

/** Renders the email about a refund that the buyer's bank or card did not accept. */
export async function renderRefundFailedEmail(refund: {
  name: string;
  coinPackTitle: string;
  amountCents: number;
}) {
  const amount = formatCents(refund.amountCents);
  const subject = `Your refund of ${amount} failed`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>
          {`Hello ${refund.name}, your bank or card did not accept our refund. Your coins are as they were before it.`}
        </MailText>
        <MailDetails
          rows={[
            ["Coin pack", refund.coinPackTitle],
            ["Not refunded", amount],
          ]}
        />
        <MailText>
          {`Email ${env().mail.supportTo}, so that we can try again or find another way.`}
        </MailText>
        <MailButton href={`${env().appUrl}/profile`}>See my wallet</MailButton>
      </MailLayout>,
    )),
  };
}
