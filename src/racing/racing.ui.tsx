// Public interface of racing for pages.
export { OfficialResults } from "./official-results.ui.tsx";
export { FirstThree, RaceResultTable } from "./race-result-table.ui.tsx";
export { compareResults } from "./results/compare-results.ts";
export { type ListedVenue, VenuePanel } from "./venue-panel.ui.tsx";
