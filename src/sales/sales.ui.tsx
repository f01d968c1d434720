// Public interface of sales for pages: lists of race cards that the viewer can open.
export { type ListedRaceCard, MoreRaceCards, RaceCardList } from "./race-card-list.ui.tsx";
