// Public interface of racing for pages.
export { VenuePanel } from "./venue-panel.ui.tsx";
