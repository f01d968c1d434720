// Public interface of standings for pages.
export { type StandingRow, Standings } from "./standings-list.ui.tsx";
export { useLiveStandings } from "./use-live-standings.ts";
