import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { computeMeetingStatuses, type MeetingStatus } from "#domain/race-day.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { type RaceDay, readRaceDays } from "./race-days.server.ts";
import { listVenues, type Venue } from "./venues.server.ts";

/** A venue with its meeting status and today's report. */
export type VenueSummary = Venue & {
  /** Null if no meeting is known. */
  status: MeetingStatus | null;
  today: RaceDay | null;
  /** The next meeting after today with known off times. */
  nextMeeting: { raceDate: CalendarDate; firstOffAt: Date } | null;
};

/**
 * Returns the active venues by name, with status, going, weather and next meeting at an instant.
 */
export async function readVenueSummaries(at: Date): Promise<VenueSummary[]> {
  const today = dateAt(at);
  const [venues, raceDays, upcoming] = await Promise.all([
    listVenues(),
    readRaceDays(today),
    queryPrepared<{ venueId: string; raceDate: CalendarDate; firstOffAt: Date }>(
      "upcoming-meetings",
      `select distinct on (venue_id) venue_id as "venueId", race_date as "raceDate",
        min(off_at) as "firstOffAt"
      from race_off_times where race_date > $1 group by venue_id, race_date
      order by venue_id, race_date`,
      [today],
    ),
  ]);
  const days = new Map(raceDays.map((day) => [day.venueId, day]));
  const meetings = new Map(upcoming.map(({ venueId, ...meeting }) => [venueId, meeting]));
  const statuses = computeMeetingStatuses(
    venues.map((venue) => ({
      offTimes: (days.get(venue.id)?.offTimes ?? []).map((race) => race.offAt),
    })),
    at,
  );
  return venues.map((venue, index) => {
    const nextMeeting = meetings.get(venue.id) ?? null;
    return {
      ...venue,
      status: statuses[index] ?? (nextMeeting ? "upcoming" : null),
      today: days.get(venue.id) ?? null,
      nextMeeting,
    };
  });
}
