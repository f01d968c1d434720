import { formatDate, timeAt } from "#domain/calendar.ts";
import type { VenueSummary } from "#racing/racing.server.ts";
import { RaceStatus } from "#ui/racing/race-status.tsx";

/** The status of a venue's racing: the current or the next meeting. */
export function MeetingStatus({ venue, now }: { venue: VenueSummary; now: Date }) {
  const offTimes = venue.today?.offTimes ?? [];
  const next = offTimes.find(({ offAt }) => offAt > now);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
      {venue.status ? (
        <RaceStatus status={venue.status} />
      ) : (
        <span className="caps text-ink-3">No racing reported</span>
      )}
      <span className="text-ink-2">
        {next
          ? `Race ${next.raceNumber} of ${offTimes.length} off at ${timeAt(next.offAt)}`
          : venue.nextMeeting
            ? `${formatDate(venue.nextMeeting.raceDate, "short")}, from ${timeAt(venue.nextMeeting.firstOffAt)}`
            : offTimes.length > 0
              ? "Racing is over for today"
              : null}
      </span>
    </div>
  );
}
