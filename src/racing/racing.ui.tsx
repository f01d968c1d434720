// Public interface of racing for pages.
export { VenueCard } from "./venue-card.ui.tsx";
