// Public interface of sales for pages: lists of race cards that the viewer can open.
export { countResults, describeTally, groupByRace, splitRaces } from "./my-day.ts";
export { FinishedRaces, LaterRaces, NextOff } from "./my-day.ui.tsx";
export {
  type ListedRaceCard,
  type ListedRow,
  RaceCardList,
  RaceCardRows,
} from "./race-card-list.ui.tsx";
export type { TipsterFigures } from "./race-card-row.ui.tsx";
export { OpenRaceCardButton } from "./unlock-button.ui.tsx";
