import { formatCoins } from "#domain/coins.ts";
import { formatCents } from "#domain/format-cents.ts";
import { env } from "#platform/env.server.ts";
import {
  MailDetails,
  MailLayout,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";
import type { CoinsAtClosing } from "./list-unspent-coins.server.ts";

/** Renders the email about the refunds of an account that was closed, with its claim code. */
export async function renderAccountClosedEmail({
  name,
  claimCode,
  isPaymentDelayed,
  refundedCoins,
  refundedCents,
  lapsedCoins,
}: CoinsAtClosing & { name: string; claimCode: string; isPaymentDelayed: boolean }) {
  const subject = "Your account is closed";
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading={subject}>
        <MailText>
          Hello {name},{" "}
          {refundedCoins > 0
            ? "we are refunding the coins you bought and didn't spend the way you paid for them. It can take your bank up to ten working days to show it."
            : "your account is closed."}
        </MailText>
        {isPaymentDelayed ? (
          <MailText>
            A payment of yours has not arrived yet. When it does, we refund it the way you paid.
          </MailText>
        ) : null}
        <MailDetails
          rows={[
            ...(refundedCoins > 0
              ? [
                  ["Refund", formatCents(refundedCents)] as [string, string],
                  ["Unspent coins", formatCoins(refundedCoins)] as [string, string],
                ]
              : []),
            ...(lapsedCoins > 0
              ? [["Free coins that lapsed", formatCoins(lapsedCoins)] as [string, string]]
              : []),
            ["Claim code", claimCode],
          ]}
        />
        <MailText>
          {`Keep the claim code. If a refund can't reach you, for example because the card no longer exists, the code adds the same coins to another account at ${env().appUrl}/profile/claim-code within three years.`}
        </MailText>
        <MailNote>{`If you weren't expecting this, email ${env().mail.supportTo}.`}</MailNote>
      </MailLayout>,
    )),
  };
}
