import { formatCoins, formatRand } from "#domain/coins.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";
import type { Order } from "./orders.server.ts";

type DelayedPayment = {
  name: string;
  order: Pick<Order, "id" | "coinPackTitle" | "coins" | "amountCents" | "raceCardId" | "sessionId">;
  /** Set when the provider reports the delayed payment as failed. */
  hasFailed: boolean;
};

/** Renders the email about a delayed payment that is pending or has failed. */
export async function renderDelayedPaymentEmail({ name, order, hasFailed }: DelayedPayment) {
  const { appUrl } = env();
  const subject = hasFailed ? "Your payment did not arrive" : "We are waiting for your payment";
  const amount = formatRand(order.amountCents);
  const content = (
    <MailLayout preview={`${formatCoins(order.coins)} for ${amount}.`} heading={subject}>
      <MailText>Hello {name},</MailText>
      <MailText>
        {hasFailed
          ? `Your payment of ${amount} did not arrive, so no coins were added. You have not been charged.`
          : `The payment method you chose takes longer. We'll add your ${formatCoins(order.coins)} and email you a receipt when your ${amount} arrives. You don't need to pay again.`}
      </MailText>
      <MailDetails
        rows={[
          ["Coin pack", order.coinPackTitle],
          ["Coins", formatCoins(order.coins)],
          ["Amount", amount],
          ["Order number", order.id],
        ]}
      />
      {hasFailed ? (
        <MailButton
          href={
            order.raceCardId ? `${appUrl}/race-cards/${order.raceCardId}` : `${appUrl}/buy-coins`
          }
        >
          Try again
        </MailButton>
      ) : (
        <MailButton href={`${appUrl}/success?session_id=${order.sessionId}`}>
          Check my payment
        </MailButton>
      )}
      <MailNote>
        If you did not order this, you can ignore this email: nothing is bought without a payment.
      </MailNote>
    </MailLayout>
  );
  return { subject, ...(await renderEmail(content)) };
}
