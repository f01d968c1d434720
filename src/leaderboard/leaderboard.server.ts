// Public interface of leaderboard: the standings, their roll-up and their live stream.
export { leaderboardEvents } from "./events.route.ts";
export { leaderboard } from "./leaderboard.route.ts";
export { readTopCreators, type Standing } from "./read-top-creators.server.ts";
export { rollUpStandings, rollUpStandingsJob } from "./roll-up-standings.server.ts";
