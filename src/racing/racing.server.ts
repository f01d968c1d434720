// The door of racing: venues, and what has been reported of their race days.
export type { SaveVenueAnswer } from "./add-venue.server.ts";
export { deleteVenue } from "./delete-venue.server.ts";
export { ensureVenues } from "./ensure-venues.server.ts";
export { findVenue, findVenueByReference } from "./find-venue.server.ts";
export { listEveryVenue, VENUE_ORDERS, type VenueOrder } from "./list-every-venue.server.ts";
export { listVenues } from "./list-venues.server.ts";
export type { RaceDayInput } from "./race-day.input.ts";
export { readComingRaceDays } from "./read-coming-race-days.server.ts";
export { readOffTimes } from "./read-off-times.server.ts";
export { readRaceDay } from "./read-race-day.server.ts";
export { type RaceDay, readRaceDays } from "./read-race-days.server.ts";
export { readVenueBoard, type VenueOnBoard } from "./read-venue-board.server.ts";
export { readVenueNames } from "./read-venue-names.server.ts";
export { type SaveRaceDayAnswer, saveRaceDay } from "./save-race-day.server.ts";
export { setVenueActive, type VenueMarkAnswer } from "./set-venue-active.server.ts";
export type { VenueInput } from "./venue.input.ts";
export type { Venue } from "./venue.server.ts";
export { venues } from "./venues.route.ts";
