import { Link } from "react-router";
import { timeAt } from "#domain/calendar.ts";
import { type ListedRow, RaceCardRows } from "#sales/sales.ui.tsx";
import { Countdown } from "#ui/countdown.tsx";

/** A race card of the home page's list. */
export type HomeRow = ListedRow & { raceCard: { venueName: string } };

/** The race cards of one venue, or of all venues in one order. */
export type HomeGroup = {
  venue: {
    slug: string;
    name: string;
    going: string | null;
    temperatureCelsius: number | null;
    weather: string | null;
  } | null;
  rows: HomeRow[];
};

/** The next race to come of some race cards. */
export type NextOff = { raceNumber: number; offAt: Date; venueName: string };

type RaceCardGroupsProps = {
  groups: readonly HomeGroup[];
  readAt: Date;
  now: Date;
  /** The heading of a list that is not grouped by venue. */
  orderLabel: string;
};

/** The race cards by venue, with the going, the weather and the next off of each venue. */
export function RaceCardGroups({ groups, readAt, now, orderLabel }: RaceCardGroupsProps) {
  return groups.map(({ venue, rows }) => (
    <section key={venue?.slug ?? ""} aria-labelledby={`at-${venue?.slug ?? "all"}`}>
      <div className="group-head">
        <h3 id={`at-${venue?.slug ?? "all"}`}>
          {venue ? (
            <Link to={`/tracks/${venue.slug}`} discover="none">
              {venue.name}
            </Link>
          ) : (
            orderLabel
          )}
        </h3>
        {venue ? <Conditions {...venue} /> : null}
        <NextOffText next={findNextOff(rows, now)} readAt={readAt} />
      </div>
      <RaceCardRows
        rows={rows}
        now={now}
        level={4}
        getTexts={({ raceCard }) => (venue ? {} : { note: describePlace(raceCard, now) })}
      />
    </section>
  ));
}

function Conditions({ going, temperatureCelsius, weather }: NonNullable<HomeGroup["venue"]>) {
  const parts = [going, temperatureCelsius === null ? null : `${temperatureCelsius}°`].filter(
    Boolean,
  );
  if (parts.length === 0 && !weather) return null;
  return (
    <p>
      {parts.join(" · ")}
      {weather ? (
        // On a phone there is room for the first words at most.
        <span className="max-sm:hidden">
          {parts.length > 0 ? " " : ""}
          {weather.toLowerCase()}
        </span>
      ) : null}
    </p>
  );
}

function NextOffText({ next, readAt }: { next: NextOff | null; readAt: Date }) {
  if (!next) return <p className="group-next">Off times not reported</p>;
  return (
    <p className="group-next">
      {`R${next.raceNumber} ${timeAt(next.offAt)} `}
      <b>
        in <Countdown until={next.offAt.toISOString()} now={readAt.toISOString()} />
      </b>
    </p>
  );
}

/** Returns the venue and the next off of one race card. */
function describePlace(raceCard: HomeRow["raceCard"], now: Date): string {
  const next = findNextOff([{ raceCard }], now);
  return next
    ? `${raceCard.venueName}, race ${next.raceNumber} at ${timeAt(next.offAt)}`
    : raceCard.venueName;
}

/** Returns the first race of these race cards after an instant; null without a known off time. */
export function findNextOff(rows: readonly Pick<HomeRow, "raceCard">[], now: Date): NextOff | null {
  let next: NextOff | null = null;
  for (const { raceCard } of rows)
    for (const { raceNumber, offAt } of raceCard.races)
      if (offAt && offAt > now && (!next || offAt < next.offAt))
        next = { raceNumber, offAt, venueName: raceCard.venueName };
  return next;
}
