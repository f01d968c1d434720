import { data } from "react-router";
import { type CalendarDate, isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import type { RaceReference } from "../results/read-results.server.ts";

/** Returns the meeting that the route params identify. Throws a 404 response if they are malformed. */
export function readMeetingParams({ venueId, raceDate }: { venueId: string; raceDate: string }): {
  venueId: string;
  raceDate: CalendarDate;
} {
  if (!isId(venueId) || !isCalendarDate(raceDate)) throw data(null, { status: 404 });
  return { venueId, raceDate };
}

/** Returns the race that the route params identify. Throws a 404 response if they are malformed. */
export function readRaceParams(params: {
  venueId: string;
  raceDate: string;
  raceNumber: string;
}): RaceReference {
  if (!/^\d{1,2}$/.test(params.raceNumber)) throw data(null, { status: 404 });
  return { ...readMeetingParams(params), raceNumber: Number(params.raceNumber) };
}
