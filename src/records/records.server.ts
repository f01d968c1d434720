// Public interface of records: track records, figures, rankings and downloads.
export { readLastResults, readVenueTallies } from "./creator-form.server.ts";
export {
  type CreatorProfile,
  readCreatorProfile,
  type TipTypeRecord,
} from "./creator-profile.server.ts";
export {
  type CreatorFigures,
  countRecordedCreators,
  countSingleTipResults,
  readFigures,
} from "./figures/read-figures.server.ts";
export { type OverallRecord, readOverallRecord } from "./figures/read-overall-record.server.ts";
export { readStakedTips } from "./figures/read-staked-tips.server.ts";
export { updateFiguresJob } from "./figures/update-figures.server.ts";
export { type Ranking, readRankings } from "./rankings/read-rankings.server.ts";
export { updateTalliesJob } from "./tallies.server.ts";
