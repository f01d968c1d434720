import { formatInstant } from "#domain/calendar.ts";
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
import type { Purchase } from "./purchases.server.ts";
import { formatRaceCardName, type RequestedRaceCard } from "./requested-race-card.ts";

type Receipt = {
  name: string;
  email: string;
  purchase: Pick<
    Purchase,
    | "id"
    | "coinPackTitle"
    | "coins"
    | "amountCents"
    | "createdAt"
    | "sessionId"
    | "openedRaceCardId"
    | "welcomeCoins"
  >;
  /** The race card that the buyer wants to open, or that the payment of a guest has opened. */
  raceCard: Pick<RequestedRaceCard, "id" | "venue" | "tipster"> | null;
  guestOutcome: Order["guestOutcome"];
  /** How many of the coins repaid what the buyer owed. */
  repaidCoins: number;
};

/** Renders the receipt of a purchase. */
export async function renderReceiptEmail({
  name,
  email,
  purchase,
  raceCard,
  guestOutcome,
  repaidCoins,
}: Receipt) {
  const { company, appUrl } = env();
  const rows: [string, string][] = [
    ["Coin pack", purchase.coinPackTitle],
    ["Coins", formatCoins(purchase.coins)],
    ...(repaidCoins > 0
      ? ([["Repaid what you owed", formatCoins(repaidCoins)]] as [string, string][])
      : []),
    ...(purchase.welcomeCoins > 0
      ? ([["Welcome coins", formatCoins(purchase.welcomeCoins)]] as [string, string][])
      : []),
    ["Amount paid", formatRand(purchase.amountCents)],
    ["Date", formatInstant(purchase.createdAt)],
    ["Receipt number", purchase.id],
    ["Payment reference", purchase.sessionId],
  ];
  const content = (
    <MailLayout
      preview={`${formatCoins(purchase.coins)} for ${formatRand(purchase.amountCents)}.`}
      heading="Thank you for your purchase"
    >
      <MailText>Hello {name},</MailText>
      <MailText>
        {describeCoins(purchase.coins, repaidCoins)}
        {purchase.openedRaceCardId ? " Your race card is open." : ""}
      </MailText>
      {guestOutcome === "existing-account" ? (
        <MailText>
          You bought as a guest, but {email} already has a Furlong account.{" "}
          {purchase.openedRaceCardId
            ? "Your coins and race card are in that account."
            : "We've added your purchase to it. This payment did not open the race card."}{" "}
          Log in with its password; we haven't changed it.
        </MailText>
      ) : null}
      <MailDetails rows={rows} />
      {raceCard ? (
        <MailButton href={`${appUrl}/race-cards/${raceCard.id}`}>
          {purchase.openedRaceCardId ? "Read" : "Open"} {formatRaceCardName(raceCard)}
        </MailButton>
      ) : (
        <MailButton href={`${appUrl}/my-cards`}>See my race cards</MailButton>
      )}
      <MailNote>
        Sold by {[company.name, company.address].filter(Boolean).join(", ")}
        {company.registration ? `, registration ${company.registration}` : ""}. Coins never expire.
        Purchases are final, except where the law gives you a right to cancel: see our terms of
        service.
      </MailNote>
    </MailLayout>
  );
  return {
    subject: `Your Furlong receipt: ${formatCoins(purchase.coins)}`,
    ...(await renderEmail(content)),
  };
}

function describeCoins(coins: number, repaidCoins: number): string {
  const added = coins - repaidCoins;
  if (repaidCoins === 0)
    return `We've received your payment and added ${formatCoins(coins)} to your wallet.`;
  return added > 0
    ? `We've received your payment. ${formatCoins(repaidCoins)} repaid what you owed from a refunded payment, and we added ${formatCoins(added)} to your wallet.`
    : `We've received your payment. The ${formatCoins(coins)} repaid what you owed from a refunded payment.`;
}
