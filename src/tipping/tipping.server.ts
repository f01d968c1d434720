// The door of tipping: who writes tips, what they have published, how it ended, and who may see what.

export { acceptInvitation } from "./accept-invitation.server.ts";
export { answerBatch } from "./answer-batch.server.ts";
export { answerPhoto } from "./answer-photo.server.ts";
export { applyAsTipster } from "./apply-as-tipster.server.ts";
export { approveApplication, type DecideAnswer } from "./approve-application.server.ts";
export { forgetOldImages } from "./change-creator-image.server.ts";
export { type CorrectResultAnswer, correctResult } from "./correct-result.server.ts";
export { countLeftToday } from "./count-left-today.server.ts";
export { countOnSale, type OnSaleCount } from "./count-on-sale.server.ts";
export { countTipsToSettle } from "./count-tips-to-settle.server.ts";
export type { Creator, CreatorHead } from "./creator.server.ts";
export { readInstantCursor, readTipCursor } from "./cursor.server.ts";
export { declineApplication } from "./decline-application.server.ts";
export { deleteTip } from "./delete-tip.server.ts";
export { describeTip } from "./describe-tip.server.ts";
export { type EditCreatorAnswer, editCreator } from "./edit-creator.server.ts";
export { findCreator } from "./find-creator.server.ts";
export { findRaceCardOfTip } from "./find-race-card-of-tip.server.ts";
export { findRaceCardOnSale } from "./find-race-card-on-sale.server.ts";
export { forgetApplicationsOf, forgetOldApplications } from "./forget-applications.server.ts";
export { hideTip, type TipMarkAnswer } from "./hide-tip.server.ts";
export { inviteAnalystInput } from "./invite-analyst.input.ts";
export {
  type InviteAnalystAnswer,
  inviteAgain,
  inviteAnalyst,
} from "./invite-analyst.server.ts";
export { keepTallies } from "./keep-tallies.server.ts";
export {
  APPLICATION_ORDERS,
  type Application,
  type ApplicationStatus,
  countOpenApplications,
  findApplication,
  listApplications,
} from "./list-applications.server.ts";
export { countCreators, listCreators } from "./list-creators.server.ts";
export {
  CREATOR_ORDERS,
  type CreatorOrder,
  listEveryCreator,
} from "./list-every-creator.server.ts";
export { listInvitations, type WaitingInvitation } from "./list-invitations.server.ts";
export { listRaceCardsOnSale } from "./list-race-cards-on-sale.server.ts";
export {
  countOverdueTips,
  countTips,
  type ListedTip,
  type ListedTipState,
  listTips,
  type ResultEntry,
  readResultEntries,
  TIP_ORDERS,
  type TipOrder,
} from "./list-tips.server.ts";
export {
  listUnconfirmedMeetings,
  type UnconfirmedMeeting,
} from "./list-unconfirmed-meetings.server.ts";
export { type MakeCreatorAnswer, makeCreator, type NewCreator } from "./make-creator.server.ts";
export { markResult } from "./mark-result.server.ts";
export { type Mark, type MarkResultsAnswer, markResults } from "./mark-results.server.ts";
export {
  type CreatorNotice,
  notifyCreator,
  readCreatorNotices,
} from "./notify-creator.server.ts";
export {
  type BatchRefusal,
  type PublishBatchAnswer,
  publishBatch,
} from "./publish-batch.server.ts";
export type { RaceCardFront, RaceFront } from "./race-card-front.server.ts";
export { readBatchDay } from "./read-batch-day.server.ts";
export { readCreatorHeads } from "./read-creator-heads.server.ts";
export {
  type CreatorProfile,
  type RecordOfDay,
  type RecordOfType,
  readCreatorProfile,
} from "./read-creator-profile.server.ts";
export { readInvitation } from "./read-invitation.server.ts";
export { type OwnRaceCard, readOwnRaceCards } from "./read-own-race-cards.server.ts";
export { type OwnTip, type OwnTipState, readOwnTips } from "./read-own-tips.server.ts";
export {
  type PublicRecord,
  type RecordedDay,
  readPublicRecord,
  recordUntil,
} from "./read-public-record.server.ts";
export { type PublicTip, readPublicTips } from "./read-public-tips.server.ts";
export { type RaceCardHead, readRaceCardHeads } from "./read-race-card-heads.server.ts";
export { readRaceCardPublic } from "./read-race-card-public.server.ts";
export { type RaceCardOfDay, readRaceCardsOfDays } from "./read-race-cards-of-days.server.ts";
export {
  type Ranking,
  type RankingFilter,
  readRankings,
  type Tally,
} from "./read-rankings.server.ts";
export { readTipCounts } from "./read-tip-counts.server.ts";
export { readTipNames } from "./read-tip-names.server.ts";
export { reinstateCreator } from "./reinstate-creator.server.ts";
export { removeCreatorImage } from "./remove-creator-image.server.ts";
export { requireCreator } from "./require-creator.server.ts";
export { type SetCreatorImageAnswer, setCreatorImage } from "./set-creator-image.server.ts";
export { showTip } from "./show-tip.server.ts";
export { type CreatorStandingAnswer, suspendCreator } from "./suspend-creator.server.ts";
export { type VoidAllTipsAnswer, voidAllTips } from "./void-all-tips.server.ts";
export { withdrawInvitation } from "./withdraw-invitation.server.ts";
