import { Link } from "react-router";
import { dateAt, formatDate, timeAt } from "#domain/calendar.ts";
import type { MeetingStatus } from "#domain/race-day.ts";
import { classNames } from "#ui/class-names.ts";
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

/** Panel of a venue: its meeting and the reported going and weather with source and time. */
export function VenuePanel({ venue, status, now, to, isCurrent }: VenuePanelProps) {
  const { today } = venue;
  return (
    <article
      className={classNames(
        "relative flex h-full flex-col gap-2 p-3 focus-within:z-10 sm:p-4",
        isCurrent ? "bg-green-wash shadow-[inset_0_3px_0_var(--green-ink)]" : "bg-sheet",
      )}
    >
      <div className="flex flex-1 justify-between gap-3">
        <div className="min-w-0 text-xs text-ink-2">
          <h3 className="font-cond text-lg font-bold text-ink">
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
        <div className="flex shrink-0 flex-col items-end gap-2 pt-1">
          {status ? (
            <RaceStatus status={status} />
          ) : (
            <span className="caps text-ink-3">No racing</span>
          )}
          <div className="w-24">
            <TrackOutline name={venue.name} />
          </div>
        </div>
      </div>
      <div className="border-t border-rule pt-1.5 text-xs">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-0.5">
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className="text-ink-2">
              Going
            </span>
            <Going going={today?.going ?? null} />
          </span>
          <Weather venue={venue} />
        </p>
        <p className="truncate text-2xs text-ink-3">
          {today && (today.going || today.weather)
            ? `${today.source}, ${formatReportTime(today)}`
            : "\u00a0"}
        </p>
      </div>
    </article>
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
        Race <b className="font-cond text-sm text-ink">{next.raceNumber}</b>
        {` of ${offTimes.length} off at `}
        <time dateTime={next.offAt.toISOString()} className="font-cond text-sm font-bold text-ink">
          {timeAt(next.offAt)}
        </time>
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
          : null}{" "}
        from{" "}
        <time dateTime={firstOffAt.toISOString()} className="font-cond text-sm font-bold text-ink">
          {timeAt(firstOffAt)}
        </time>
      </>
    );
  }
  return <>{offTimes.length > 0 ? "Racing is over for today" : "Off times not reported"}</>;
}

function Weather({ venue: { today } }: { venue: ListedVenue }) {
  if (!today?.weather && today?.temperatureCelsius == null)
    return <span className="text-ink-3">Weather not reported</span>;
  const measurements = [
    today.humidityPercent == null ? null : `humidity\u00a0${today.humidityPercent}%`,
    today.windKmh == null ? null : `wind\u00a0${today.windKmh}\u00a0km/h`,
  ].filter(Boolean);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {today.temperatureCelsius == null ? null : (
        <b className="font-cond text-sm">{`${today.temperatureCelsius}°`}</b>
      )}
      <span className="first-letter:uppercase">{today.weatherDescription ?? today.weather}</span>
      {measurements.length > 0 ? (
        <span className="text-ink-2">{measurements.join(", ")}</span>
      ) : null}
    </span>
  );
}
