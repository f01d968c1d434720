import type { CalendarDate } from "#domain/calendar.ts";
import { type DeclaredRace, readDeclaredRaces } from "../read-declared-races.server.ts";
import { findAnyVenue, type Venue } from "../venues.server.ts";
import {
  type RaceReference,
  readOfficialResults,
  readResultVersions,
  readUnconfirmedResults,
  type StoredRaceResult,
} from "./read-results.server.ts";
import { type ResultAuthors, readResultAuthors } from "./result-authors.server.ts";

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
    findAnyVenue(venueId),
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

type Meeting = { venueId: string; raceDate: CalendarDate };

/** A reported race of a meeting with its newest results and who may enter and confirm them. */
type MeetingRaceForResult = {
  race: DeclaredRace;
  unconfirmed: StoredRaceResult | null;
  official: StoredRaceResult | null;
  authors: ResultAuthors;
};

/** Returns the reported races of a meeting in running order with their results, or null for an unknown venue. */
export async function readMeetingForResults(meeting: Meeting): Promise<{
  venue: Venue;
  races: MeetingRaceForResult[];
  lastSource: LastSource;
} | null> {
  const [venue, races, unconfirmed, official] = await Promise.all([
    findAnyVenue(meeting.venueId),
    readDeclaredRaces(meeting.venueId, meeting.raceDate),
    readUnconfirmedResults(meeting),
    readOfficialResults(meeting),
  ]);
  if (!venue) return null;
  const find = (results: StoredRaceResult[], raceNumber: number) =>
    results.find((result) => result.raceNumber === raceNumber) ?? null;
  return {
    venue,
    races: await Promise.all(
      races.map(async (race) => ({
        race,
        unconfirmed: find(unconfirmed, race.raceNumber),
        official: find(official, race.raceNumber),
        authors: await readResultAuthors({ ...meeting, raceNumber: race.raceNumber }),
      })),
    ),
    lastSource: findLastSource([...unconfirmed, ...official]),
  };
}

type LastSource = { source: string; sourceUrl: string | null } | null;

/** Returns the source and link of a meeting's newest result, to prefill the form for the next one. */
export async function readLastSource(meeting: Meeting): Promise<LastSource> {
  return findLastSource([
    ...(await readUnconfirmedResults(meeting)),
    ...(await readOfficialResults(meeting)),
  ]);
}

function findLastSource(results: readonly StoredRaceResult[]): LastSource {
  const [newest] = [...results].sort((a, b) => b.enteredAt.getTime() - a.enteredAt.getTime());
  return newest ? { source: newest.source, sourceUrl: newest.sourceUrl } : null;
}
