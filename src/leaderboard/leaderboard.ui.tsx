// Public interface of leaderboard for pages.
export { type BoardRow, Leaderboard } from "./leaderboard-board.ui.tsx";
export { useLiveBoard } from "./use-live-board.ts";
