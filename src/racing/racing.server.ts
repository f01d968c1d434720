// Public interface of racing: venues, reported race days and results.
export { deleteVenue } from "./delete-venue.server.ts";
export { ensureVenues } from "./ensure-venues.server.ts";
export type { FileRace, RaceDayFile } from "./import/race-day-file.ts";
export { listChangedRaceDays } from "./list-changed-race-days.server.ts";
export {
  type RaceDay,
  readOffTimes,
  readRaceDays,
  readUpcomingRaceDays,
} from "./race-days.server.ts";
export { type DeclaredRace, readDeclaredRaces } from "./read-declared-races.server.ts";
export { readVenueSummaries, type VenueSummary } from "./read-venue-summaries.server.ts";
export { confirmRaceResult, toSecondEntry } from "./results/confirm-race-result.server.ts";
export { enterAbandonedMeeting } from "./results/enter-abandoned-meeting.server.ts";
export { enterRaceResult } from "./results/enter-race-result.server.ts";
export {
  countUnconfirmedResults,
  listRacesWithoutResult,
  listSubjectsOfUnconfirmedResults,
  listUnconfirmedResults,
  type UnconfirmedResult,
} from "./results/list-races-for-results.server.ts";
export type { RaceResultInput } from "./results/race-result.input.ts";
export { bindRaceResultSteps } from "./results/race-result-steps.server.ts";
export { readMeetings } from "./results/read-meetings.server.ts";
export { type PublicResult, readPublicResults } from "./results/read-public-results.server.ts";
export { readRaceForResult } from "./results/read-race-for-result.server.ts";
export type { RaceReference } from "./results/read-results.server.ts";
export { saveRaceDay } from "./save-race-day.server.ts";
export type { Venue } from "./venues.server.ts";
export {
  findVenue,
  findVenueByReference,
  listVenuePage,
  listVenues,
  readVenueNames,
  VENUE_ORDERS,
} from "./venues.server.ts";
