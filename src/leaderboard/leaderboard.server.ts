// The door of the leaderboard: the standings, how they are kept, and the news of them.
export { leaderboardEvents } from "./events.route.ts";
export { leaderboard } from "./leaderboard.route.ts";
export { readTopCreators, type Standing } from "./read-top-creators.server.ts";
export { rollUpStandings, rollUpStandingsJob } from "./roll-up-standings.server.ts";
