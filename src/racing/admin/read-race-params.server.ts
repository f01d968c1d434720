import { data } from "react-router";
import { isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import type { RaceReference } from "../results/read-results.server.ts";

/** Returns the race that the route params identify. Throws a 404 response if they are malformed. */
export function readRaceParams(params: {
  venueId: string;
  raceDate: string;
  raceNumber: string;
}): RaceReference {
  const { venueId, raceDate, raceNumber } = params;
  if (!isId(venueId) || !isCalendarDate(raceDate) || !/^\d{1,2}$/.test(raceNumber))
    throw data(null, { status: 404 });
  return { venueId, raceDate, raceNumber: Number(raceNumber) };
}
