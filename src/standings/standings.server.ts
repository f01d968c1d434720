// Public interface of standings: the creators by sales score, their roll-up and their live stream.
export { streamStandingsEvents } from "./events.route.ts";
export { readStandings, type Standing } from "./read-standings.server.ts";
export { rollUpStandings, rollUpStandingsJob } from "./roll-up-standings.server.ts";
export { standingsJson } from "./standings.route.ts";
