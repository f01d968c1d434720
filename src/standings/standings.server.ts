// Public interface of standings: the creators by sales score and their roll-up.
export { readStandings, type Standing } from "./read-standings.server.ts";
export { rollUpStandings, rollUpStandingsJob } from "./roll-up-standings.server.ts";
