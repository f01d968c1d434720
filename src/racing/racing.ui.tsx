// Public interface of racing for pages.
export {
  formatConfirmed,
  formatSaved,
  listFilledRaces,
  pickRaceValues,
  toRacePrefix,
} from "./admin/meeting-form.ts";
export { PLACES_PAID_HINT, SURFACE_OPTIONS } from "./admin/race-fields.ui.tsx";
export { MeetingRaceFields, STATUS_LABELS } from "./admin/race-result-fields.ui.tsx";
export { OfficialResults } from "./official-results.ui.tsx";
export { PlacedHorses, RaceResultTable } from "./race-result-table.ui.tsx";
export { compareResults } from "./results/compare-results.ts";
export { HAS_TIPS_MESSAGE } from "./results/result-authors.ts";
export { type ListedVenue, VenuePanel } from "./venue-panel.ui.tsx";
