// Public interface of tips: race cards as published, results, track records and rankings.
export { type CorrectResultAnswer, correctResult } from "./correct-result.server.ts";
export { countLeftToday } from "./count-left-today.server.ts";
export { countOnSale, type OnSaleCount } from "./count-on-sale.server.ts";
export { countTipsToSettle } from "./count-tips-to-settle.server.ts";
export { readInstantCursor, readTipCursor } from "./cursor.server.ts";
export { deleteTip } from "./delete-tip.server.ts";
export { describeTip } from "./describe-tip.server.ts";
export { findRaceCardOfTip } from "./find-race-card-of-tip.server.ts";
export { findRaceCardOnSale } from "./find-race-card-on-sale.server.ts";
export { hideTip, type TipMarkAnswer } from "./hide-tip.server.ts";
export { listRaceCardsOnSale } from "./list-race-cards-on-sale.server.ts";
export {
  countOverdueTips,
  countTips,
  type ListedTip,
  type ListedTipState,
  listTips,
  type ResultEntry,
  readResultEntries,
  type TipOrder,
} from "./list-tips.server.ts";
export {
  listUnconfirmedMeetings,
  type UnconfirmedMeeting,
} from "./list-unconfirmed-meetings.server.ts";
export { markResult } from "./mark-result.server.ts";
export { type Mark, type MarkResultsAnswer, markResults } from "./mark-results.server.ts";
export {
  type BatchRefusal,
  type PublishBatchAnswer,
  publishBatch,
} from "./publish-batch.server.ts";
export type { RaceCardPreview, RacePreview } from "./race-card-preview.server.ts";
export {
  type CreatorProfile,
  type RecordOfDay,
  type RecordOfType,
  readCreatorProfile,
} from "./read-creator-profile.server.ts";
export { type OwnRaceCard, readOwnRaceCards } from "./read-own-race-cards.server.ts";
export { type OwnTip, type OwnTipState, readOwnTips } from "./read-own-tips.server.ts";
export {
  type PublicRecord,
  type RecordedDay,
  readPublicRecord,
  recordUntil,
} from "./read-public-record.server.ts";
export { type PublicTip, readPublicTips } from "./read-public-tips.server.ts";
export { readRaceCardPublic } from "./read-race-card-public.server.ts";
export { type RaceCardSummary, readRaceCardSummaries } from "./read-race-card-summaries.server.ts";
export { type RaceCardOfDay, readRaceCardsOfDays } from "./read-race-cards-of-days.server.ts";
export {
  type Ranking,
  type RankingFilter,
  readRankings,
  type Tally,
} from "./read-rankings.server.ts";
export { readTipCounts } from "./read-tip-counts.server.ts";
export { readTipNames } from "./read-tip-names.server.ts";
export { sendTipNotification } from "./send-tip-notification.route.ts";
export { showTip } from "./show-tip.server.ts";
export { updateTalliesJob } from "./update-tallies-job.server.ts";
export { type VoidAllTipsAnswer, voidAllTips } from "./void-all-tips.server.ts";
