import { Link } from "react-router";
import { dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import type { MeetingStatus } from "#domain/race-day.ts";
import { Going } from "#ui/racing/going.tsx";
import { RaceStatus } from "#ui/racing/race-status.tsx";
import { TrackOutline } from "#ui/racing/track-outline.tsx";
import type { RaceDay } from "./race-days.server.ts";
import type { VenueSummary } from "./read-venue-summaries.server.ts";

/** The fields of a venue that the panel shows. */
export type ListedVenue = Pick<VenueSummary, "slug" | "name" | "location" | "nextMeeting"> & {
  today: Pick<
    RaceDay,
    | "raceDate"
    | "offTimes"
    | "going"
    | "weather"
    | "weatherDescription"
    | "temperatureCelsius"
    | "humidityPercent"
    | "windKmh"
    | "source"
    | "reportedAt"
  > | null;
};

type VenuePanelProps = {
  venue: ListedVenue;
  /** The meeting status at `now`, which depends on the day's other meetings. */
  status: MeetingStatus | null;
  now: Date;
  /** Link of the panel: the list filtered to this venue. */
  to: string;
  isCurrent: boolean;
};

/** List item of a venue: its meeting and the reported going and weather with source and time. */
export function VenuePanel({ venue, status, now, to, isCurrent }: VenuePanelProps) {
  const { today } = venue;
  return (
    <li className={isCurrent ? "venue current" : "venue"}>
      <div className="venue-head">
        <div>
          <h3>
            <Link
              to={to}
              preventScrollReset={isCurrent}
              aria-current={isCurrent ? "true" : undefined}
              discover="none"
              className="cover-link"
            >
              {venue.name}
            </Link>
          </h3>
          <p>{venue.location}</p>
          <p className="mt-0.5">
            <Meeting venue={venue} now={now} />
          </p>
        </div>
        <div>
          {status ? (
            <RaceStatus status={status} />
          ) : (
            <span className="caps text-ink-3">No racing</span>
          )}
          <TrackOutline name={venue.name} />
        </div>
      </div>
      <div className="venue-report">
        <p>
          <Going going={today?.going ?? null} labelled />
          <Weather venue={venue} />
        </p>
        <p className="truncate text-2xs text-ink-3">
          {today && (today.going || today.weather)
            ? `${today.source}, ${formatReportTime(today)}`
            : "\u00a0"}
        </p>
      </div>
    </li>
  );
}

/** Returns the time of the report, with the date if it is from another day. */
function formatReportTime({
  raceDate,
  reportedAt,
}: {
  raceDate: string;
  reportedAt: Date;
}): string {
  const reportDate = dateAt(reportedAt);
  const time = timeAt(reportedAt);
  return reportDate === raceDate ? time : `${formatDate(reportDate, "short")}, ${time}`;
}

/** The next off of today's meeting or, if there is none, the next meeting. */
function Meeting({ venue, now }: { venue: ListedVenue; now: Date }) {
  const offTimes = venue.today?.offTimes ?? [];
  const next = offTimes.find(({ offAt }) => offAt > now);
  if (next) {
    return (
      <>
        Race <b>{next.raceNumber}</b>
        {` of ${offTimes.length} off at `}
        <time>{timeAt(next.offAt)}</time>
      </>
    );
  }
  if (venue.nextMeeting) {
    const { raceDate, firstOffAt } = venue.nextMeeting;
    return (
      <>
        {offTimes.length > 0 ? "Racing is over for today. Next: " : null}
        {dateAt(firstOffAt) === raceDate
          ? formatDate(raceDate, "short").replaceAll(" ", "\u00a0")
          : null}
        {" from "}
        <time>{timeAt(firstOffAt)}</time>
      </>
    );
  }
  return <>{offTimes.length > 0 ? "Racing is over for today" : "Off times not reported"}</>;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Weather({ venue: { today } }: { venue: ListedVenue }) {
  if (!today?.weather && today?.temperatureCelsius == null)
    return <span className="text-ink-3">Weather not reported</span>;
  const measurements = [
    today.humidityPercent == null ? null : `humidity\u00a0${today.humidityPercent}%`,
    today.windKmh == null ? null : `wind\u00a0${today.windKmh}\u00a0km/h`,
  ].filter(Boolean);
  return (
    <span className="venue-weather">
      {today.temperatureCelsius == null ? null : <b>{`${today.temperatureCelsius}°`}</b>}
      {capitalise(today.weatherDescription ?? today.weather ?? "")}
      {measurements.length > 0 ? (
        <span className="text-ink-2">{measurements.join(", ")}</span>
      ) : null}
    </span>
  );
}
