import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailLink,
  MailNote,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";
import type { PublicResult } from "#racing/racing.server.ts";
import { formatOrdinal } from "#ui/format-ordinal.ts";
import { countResults, type DaySelection, describeTally } from "./my-day.ts";

/** More would make mail programs cut the email off. */
const SHOWN_RACE_CARDS = 8;

/** A race card that the recipient opened for the day, with the official results of its meeting. */
export type RaceCardOfDay = {
  id: string;
  selections: readonly DaySelection[];
  results: readonly PublicResult[];
};

/** The email with the results of the race cards that a buyer opened for a day. */
export async function renderResultsEmail({
  name,
  raceDate,
  raceCards,
  unsubscribeUrl,
}: {
  name: string;
  raceDate: CalendarDate;
  raceCards: readonly RaceCardOfDay[];
  unsubscribeUrl: string;
}) {
  const { appUrl } = env();
  const tally = countResults(raceCards.flatMap(({ selections }) => selections));
  const subject = `Your day: ${describeTally(tally)}`;
  const hiddenRaceCards = raceCards.length - SHOWN_RACE_CARDS;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout
        preview={`The official results of your race cards for ${formatDate(raceDate)}.`}
        heading={subject}
      >
        <MailText>
          {`Hello ${name}, these are the official results of the race cards you opened for ${formatDate(raceDate)}.`}
          {tally.waiting > 0
            ? " Some results are not official yet. My cards shows them as soon as they are; we won't email you again about this day."
            : ""}
        </MailText>
        {raceCards.slice(0, SHOWN_RACE_CARDS).map(({ id, selections, results }) => (
          <RaceCard key={id} selections={selections} results={results} />
        ))}
        {hiddenRaceCards > 0 ? (
          <MailText>
            {hiddenRaceCards === 1
              ? "One more race card is in My cards."
              : `${hiddenRaceCards} more race cards are in My cards.`}
          </MailText>
        ) : null}
        <MailButton href={`${appUrl}/my-cards`}>See My cards</MailButton>
        <MailNote>
          We send this once on a day for which you have opened race cards.{" "}
          <MailLink href={unsubscribeUrl}>Stop these emails</MailLink>
        </MailNote>
      </MailLayout>,
    )),
  };
}

function RaceCard({ selections, results }: Pick<RaceCardOfDay, "selections" | "results">) {
  const [first] = selections;
  if (!first) return null;
  return (
    <>
      <MailText>
        <strong>{`${first.venueName}, ${first.tipsterName}: ${describeTally(countResults(selections))}`}</strong>
      </MailText>
      <MailDetails
        rows={selections.map((selection) => [
          `Race ${selection.raceNumber}: ${selection.horseNumber} ${selection.horseName} (${selection.tipType})`,
          describeResult(selection),
          describeOrder(results.find(({ raceNumber }) => raceNumber === selection.raceNumber)),
        ])}
      />
    </>
  );
}

function describeResult({ result, isClaim, isLate }: DaySelection): string {
  if (result === null || isClaim) return "Not official yet";
  const label = { won: "Won", lost: "Lost", void: "Void" }[result];
  return isLate && result !== "void" ? `${label}, late: not counted` : label;
}

/** Returns the first horses of a race, such as '1st 3 Sterling Cabin, 2nd 8 Lantern Ladder.', or that it was not run. */
function describeOrder(result: PublicResult | undefined): string {
  if (!result) return "";
  if (result.status !== "official") return result.status === "void" ? "Race void." : "Abandoned.";
  const horses = result.order.map(({ position, number, horseName }) =>
    `${formatOrdinal(Number.parseInt(position, 10))} ${number} ${horseName ?? ""}`.trimEnd(),
  );
  return `${horses.join(", ")}.`;
}
