import type { CalendarDate } from "#domain/calendar.ts";
import { type DeclaredRace, readDeclaredRaces } from "../read-declared-races.server.ts";
import { findVenue, type Venue } from "../venues.server.ts";
import {
  type RaceReference,
  readOfficialResults,
  readResultVersions,
  readUnconfirmedResults,
  type StoredRaceResult,
} from "./read-results.server.ts";

/** A reported race with its results, for the pages that enter and confirm them. */
export type RaceForResult = {
  venue: Venue;
  raceDate: CalendarDate;
  race: DeclaredRace;
  /** The unconfirmed result, or null. */
  unconfirmed: StoredRaceResult | null;
  /** The confirmed versions, newest first: the first one is the official result. */
  confirmed: StoredRaceResult[];
};

/** Returns a reported race with its results, or null. */
export async function readRaceForResult({
  venueId,
  raceDate,
  raceNumber,
}: RaceReference): Promise<RaceForResult | null> {
  const [venue, races, versions] = await Promise.all([
    findVenue(venueId),
    readDeclaredRaces(venueId, raceDate),
    readResultVersions({ venueId, raceDate, raceNumber }),
  ]);
  const race = races.find((each) => each.raceNumber === raceNumber);
  if (!venue || !race) return null;
  return {
    venue,
    raceDate,
    race,
    unconfirmed: versions.find(({ confirmedAt }) => confirmedAt === null) ?? null,
    confirmed: versions.filter(({ confirmedAt }) => confirmedAt !== null),
  };
}

/** Returns the source and link of a meeting's newest result, to prefill the form for the next one. */
export async function readLastSource(meeting: {
  venueId: string;
  raceDate: CalendarDate;
}): Promise<{ source: string; sourceUrl: string | null } | null> {
  const results = [
    ...(await readUnconfirmedResults(meeting)),
    ...(await readOfficialResults(meeting)),
  ].sort((a, b) => b.enteredAt.getTime() - a.enteredAt.getTime());
  const [newest] = results;
  return newest ? { source: newest.source, sourceUrl: newest.sourceUrl } : null;
}
