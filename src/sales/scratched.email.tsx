import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import { env } from "#platform/env.server.ts";
import {
  MailButton,
  MailDetails,
  MailLayout,
  MailText,
  renderEmail,
} from "#platform/mail/mail-layout.email.tsx";
import type { Scratching } from "#tips/tips.server.ts";

/** The email to a buyer about the scratched horses of a race card. */
export async function renderScratchedEmail({
  name,
  raceCard,
  selections,
}: {
  name: string;
  raceCard: { id: string; venueName: string; raceDate: CalendarDate };
  selections: readonly Omit<Scratching, "tipId" | "hiddenAt">[];
}) {
  const scratched = selections.filter(({ scratchedAt }) => scratchedAt !== null).length;
  const subject =
    scratched === 0
      ? `A scratched horse runs after all at ${raceCard.venueName}`
      : scratched === 1
        ? `A horse on your ${raceCard.venueName} race card is scratched`
        : `${scratched} horses on your ${raceCard.venueName} race card are scratched`;
  return {
    subject,
    ...(await renderEmail(
      <MailLayout preview={subject} heading="A change to your race card">
        <MailText>
          {selections.length === 1
            ? `Hello ${name}, a selection on a race card you opened has changed.`
            : `Hello ${name}, ${selections.length} selections on a race card you opened have changed.`}
        </MailText>
        <MailDetails
          rows={[
            ["Meeting", `${raceCard.venueName}, ${formatDate(raceCard.raceDate)}`],
            ...selections.map(
              ({ raceNumber, horseNumber, horseName, scratchedAt }): [string, string] => [
                `Race ${raceNumber}`,
                `${horseNumber} ${horseName}: ${scratchedAt === null ? "runs after all" : "scratched"}`,
              ],
            ),
          ]}
        />
        <MailText>
          {scratched > 0
            ? "If a horse doesn't run, the coins for its race come back with the official result."
            : "The selection stands as it was published."}
        </MailText>
        <MailButton href={`${env().appUrl}/race-cards/${raceCard.id}`}>View race card</MailButton>
      </MailLayout>,
    )),
  };
}
