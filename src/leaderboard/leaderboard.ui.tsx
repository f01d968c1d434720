// What the leaderboard shows of itself, and how it stays live.
export { type BoardRow, Leaderboard } from "./leaderboard-board.ui.tsx";
export { useLiveBoard } from "./use-live-board.ts";
