// Public interface of leaderboard for pages.
export { Leaderboard, type LeaderboardRow } from "./leaderboard-list.ui.tsx";
export { useLiveLeaderboard } from "./use-live-leaderboard.ts";
