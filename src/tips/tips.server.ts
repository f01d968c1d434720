// Public interface of tips: published race cards, their selections, notes, results and settlement.

export { BET_COLUMNS, type BetColumns, withBets } from "./bets.server.ts";
export { countOnSale, countOnSaleByCreator, countRemainingToday } from "./count-on-sale.server.ts";
export { formatTipCursor, parseInstantCursor, parseTipCursor } from "./cursor.server.ts";
export { countOverdueRaceCards, listOverdueRaceCards } from "./list-overdue-race-cards.server.ts";
export { listRaceCardsOfMeetings } from "./list-race-cards-of-meetings.server.ts";
export {
  countTips,
  listTips,
  readResultEntries,
  readTipDescriptions,
} from "./list-tips.server.ts";
export { listUnconfirmedMeetings } from "./list-unconfirmed-meetings.server.ts";
export { markResults } from "./mark-results.server.ts";
export { readNotes } from "./notes/add-note.server.ts";
export { type OwnDayCard, readOwnCardsFrom } from "./own-day.server.ts";
export { countTipsToSettle } from "./own-tips.server.ts";
export {
  type PublicRecord,
  parseRecordDate,
  RECORD_PARTS,
  readPublicRecord,
  type TipWithBets,
} from "./public-record.server.ts";
export { type PublicTip, readPublicTips, readPublicTipsOf } from "./public-tips.server.ts";
export { publishBatch } from "./publishing/publish-batch.server.ts";
export {
  findRaceCardOnSale,
  listRaceCardsOnSale,
  type RaceCardPreview,
  readPublicRaceCard,
} from "./race-card-previews.server.ts";
export {
  findRaceCardOfTip,
  type OwnRaceCard,
  type RaceCardSummary,
  type RaceCardWithTips,
  readOwnRaceCards,
  readOwnRaceCardsBetween,
  readOwnRaceDates,
  readRaceCardName,
  readRaceCardStatus,
  readRaceCardSummaries,
  readRaceCardsBetween,
  readRaceCardsOfRace,
  readRaceCardsOfTips,
  readVoidTips,
  type UnsoldReason,
} from "./race-cards.server.ts";
export { type RecordedTip, readRecordedTips, TIP_STATUSES } from "./recorded-tips.server.ts";
export {
  listRaceCardsToEmail,
  listScratchedSelections,
  type Scratching,
  takeScratchings,
} from "./scratchings.server.ts";
export { searchPublicTips } from "./search-public-tips.server.ts";
export { type SetTipResultOutcome, setTipResult } from "./set-tip-result.server.ts";
export { countMovedTips, settleRace } from "./settlement/settle-race.server.ts";
export { describeTip } from "./tip-visibility.server.ts";
export { type PublishedCounts, readPublishedCounts } from "./track-records.server.ts";
export {
  countUnconfirmedTipResults,
  listUnconfirmedTipResults,
} from "./unconfirmed-tip-results.server.ts";
export { type VoidAllTipsResult, voidAllTips } from "./void-all-tips.server.ts";
