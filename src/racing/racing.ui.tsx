// What racing shows of itself: the panel of a venue.
export { VenueCard } from "./venue-card.ui.tsx";
