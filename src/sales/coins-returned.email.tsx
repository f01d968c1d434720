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
import { AFTER_RACES } from "./coin-return-words.ts";

type ReturnedRaceCard = {
  tipster: string;
  coins: number;
  /** The races for which the coins were returned: 'race 3 (Sea Mist)'. */
  voidRaces: string[];
  /** Every race of the race card is void. */
  isVoid: boolean;
  /** It was opened after its last race, whose off was not known then. */
  isSoldAfterRaces: boolean;
  /** With these coins, the buyer has all coins of the race card back. */
  areAllCoinsReturned: boolean;
};

/** The email to a buyer whose coins of one meeting were returned: for void races, or as the races had been run. */
export async function renderCoinsReturnedEmail(refund: {
  name: string;
  venue: string;
  raceDate: CalendarDate;
  raceCards: ReturnedRaceCard[];
  repaidCoins: number;
}) {
  const { raceCards, repaidCoins } = refund;
  const coins = formatCoins(raceCards.reduce((sum, raceCard) => sum + raceCard.coins, 0));
  const subject = `We have returned your ${coins} for ${refund.venue}`;
  const cause = `${describeCause(raceCards)}, so we have returned ${describePart(raceCards)}.`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="We have returned your coins">
        <MailText>{`Hello ${refund.name}, ${cause}`}</MailText>
        <MailDetails
          rows={[
            ["Meeting", `${refund.venue}, ${formatDate(refund.raceDate)}`],
            ...raceCards.map((raceCard): [string, string] => [
              raceCard.tipster,
              `${describeVoidRaces(raceCard)}: ${formatCoins(raceCard.coins)}`,
            ]),
            ["Returned", coins] as [string, string],
            ...(repaidCoins > 0
              ? [["Used to repay coins you owed", formatCoins(repaidCoins)] as [string, string]]
              : []),
          ]}
        />
        <MailText>
          {raceCards.length === 1
            ? "You can still read the race card."
            : "You can still read the race cards."}
        </MailText>
        <MailButton href={`${env().appUrl}/`}>See today's race cards</MailButton>
      </MailLayout>,
    )),
  };
}

function describeCause(raceCards: readonly ReturnedRaceCard[]): string {
  const late = raceCards.filter((raceCard) => raceCard.isSoldAfterRaces);
  const others = raceCards.filter((raceCard) => !raceCard.isSoldAfterRaces);
  const causes: string[] = [];
  if (others.length > 0) causes.push(describeVoidCause(others));
  if (late.length > 0) causes.push(`you opened ${countRaceCards(late)} ${AFTER_RACES}`);
  return causes.join(", and ");
}

function countRaceCards({ length }: readonly ReturnedRaceCard[]): string {
  return length === 1 ? "a race card" : `${length} race cards`;
}

function describeVoidCause(raceCards: readonly ReturnedRaceCard[]): string {
  const races = raceCards.every((raceCard) => raceCard.isVoid)
    ? "every race"
    : raceCards.every((raceCard) => raceCard.voidRaces.length === 1)
      ? "a race"
      : "some races";
  return `${races} on ${countRaceCards(raceCards)} you opened ${races === "some races" ? "were" : "was"} declared void`;
}

function describePart(raceCards: readonly ReturnedRaceCard[]): string {
  if (!raceCards.every((raceCard) => raceCard.areAllCoinsReturned)) return "part of your coins";
  if (raceCards.some((raceCard) => raceCard.coins < CARD_PRICE_COINS))
    return "the rest of your coins";
  return raceCards.every((raceCard) => raceCard.isVoid) ? "your coins" : "all your coins";
}

function describeVoidRaces(raceCard: ReturnedRaceCard): string {
  const { isVoid, isSoldAfterRaces, coins, voidRaces } = raceCard;
  if (isSoldAfterRaces) return "Opened after its last race";
  const text = isVoid && coins === CARD_PRICE_COINS ? "every race" : voidRaces.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
