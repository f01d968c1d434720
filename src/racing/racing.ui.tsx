// Public interface of racing for pages.
export { formatSaved, parseRaceNumbers } from "./admin/meeting-form.ts";
export { OfficialResults } from "./official-results.ui.tsx";
export { HAS_TIPS_MESSAGE } from "./results/result-authors.ts";
export { type ListedVenue, VenuePanel } from "./venue-panel.ui.tsx";
