import { Link } from "react-router";
import { type CalendarDate, formatDate, timeAt } from "#domain/calendar.ts";

type Meeting = {
  venueId: string;
  venueName: string;
  raceDate: CalendarDate;
  races: {
    raceNumber: number;
    offAt: Date;
    state: keyof typeof RACE_STATES;
  }[];
};

const RACE_STATES = {
  "to-come": { text: "to come", classes: "border-rule-strong bg-sheet text-ink" },
  due: { text: "no result yet", classes: "border-ink bg-ink text-paper" },
  unconfirmed: {
    text: "result to confirm",
    classes: "border-warn-ink bg-warn-wash text-warn-ink underline",
  },
  official: { text: "official", classes: "border-rule bg-well text-ink-2 line-through" },
} as const;

export const RACE_STATES_LEGEND =
  "Black: no result yet. Underlined: to confirm. Struck through: official.";

/** Meetings with a link to each race: to its off and scratchings before it is run, to its result after. */
export function MeetingStrips({ meetings }: { meetings: readonly Meeting[] }) {
  const buildPath = (
    { venueId, raceDate }: Meeting,
    { raceNumber, state }: Meeting["races"][number],
  ) =>
    state === "to-come"
      ? `/admin/venues/${venueId}/race-days/${raceDate}/races/${raceNumber}`
      : `/admin/results/${venueId}/${raceDate}/${raceNumber}${state === "unconfirmed" ? "/confirm" : ""}`;
  return (
    <ul className="divide-y divide-rule rounded-md border border-rule bg-sheet">
      {meetings.map((meeting) => (
        <li
          key={meeting.venueId}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2"
        >
          <Link
            to={`/admin/venues/${meeting.venueId}/race-days/${meeting.raceDate}`}
            className="link inline-flex min-h-11 min-w-0 items-center font-semibold wrap-anywhere"
          >
            {meeting.venueName}
            <span className="sr-only">, {formatDate(meeting.raceDate)}</span>
          </Link>
          <ul className="flex flex-wrap gap-1">
            {meeting.races.map((race) => (
              <li key={race.raceNumber}>
                <Link
                  to={buildPath(meeting, race)}
                  title={`${timeAt(race.offAt)}, ${RACE_STATES[race.state].text}`}
                  className={`inline-flex size-11 items-center justify-center rounded-sm border font-cond font-semibold ${RACE_STATES[race.state].classes}`}
                >
                  <span className="sr-only">Race </span>
                  {race.raceNumber}
                  <span className="sr-only">
                    , {meeting.venueName}, {timeAt(race.offAt)}, {RACE_STATES[race.state].text}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
