// Public interface of racing: venues and reported race days.
export type { SaveVenueResult } from "./add-venue.server.ts";
export { deleteVenue } from "./delete-venue.server.ts";
export { ensureVenues } from "./ensure-venues.server.ts";
export type { RaceDayInput } from "./race-day.input.ts";
export {
  type RaceDay,
  readOffTimes,
  readRaceDay,
  readRaceDays,
  readUpcomingRaceDays,
} from "./race-days.server.ts";
export { readVenueBoard, type VenueOnBoard } from "./read-venue-board.server.ts";
export { type SaveRaceDayResult, saveRaceDay } from "./save-race-day.server.ts";
export { setVenueActive, type VenueStatusResult } from "./set-venue-active.server.ts";
export type { VenueInput } from "./venue.input.ts";
export { venues } from "./venues.route.ts";
export type { Venue } from "./venues.server.ts";
export {
  findVenue,
  findVenueByReference,
  listAllVenues,
  listVenues,
  readVenueNames,
  VENUE_ORDERS,
  type VenueOrder,
} from "./venues.server.ts";
