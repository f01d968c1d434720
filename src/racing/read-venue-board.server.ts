import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { type MeetingStatus, meetingStatuses } from "#domain/race-day.ts";
import { prepared } from "#platform/database.server.ts";
import { type RaceDay, readRaceDays } from "./race-days.server.ts";
import { listVenues, type Venue } from "./venues.server.ts";

/** A venue as its panel shows it: where its racing stands, and what has been reported for today. */
export type VenueOnBoard = Venue & {
  /** Null when no racing is known to come: never a guess. */
  status: MeetingStatus | null;
  today: RaceDay | null;
  /** The next meeting after today, where its off times are known. */
  nextMeeting: { raceDate: CalendarDate; firstOffAt: Date } | null;
};

/** The active venues by name at an instant, with status, going, weather and the next meeting. */
export async function readVenueBoard(at: Date): Promise<VenueOnBoard[]> {
  const today = dateAt(at);
  const [venues, raceDays, coming] = await Promise.all([
    listVenues(),
    readRaceDays(today),
    prepared<{ venueId: string; raceDate: CalendarDate; firstOffAt: Date }>(
      "coming-meetings",
      `select distinct on (venue_id) venue_id as "venueId", race_date as "raceDate",
        min(off_at) as "firstOffAt"
      from race_off_times where race_date > $1 group by venue_id, race_date
      order by venue_id, race_date`,
      [today],
    ),
  ]);
  const days = new Map(raceDays.map((day) => [day.venueId, day]));
  const meetings = new Map(coming.map(({ venueId, ...meeting }) => [venueId, meeting]));
  const statuses = meetingStatuses(
    venues.map((venue) => ({ offs: (days.get(venue.id)?.offs ?? []).map((off) => off.offAt) })),
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
