// Public interface of creators: applications, invitations, profiles and suspension.
export { handleAnalystLogin } from "./answer-door.server.ts";
export { applyAsTipster } from "./apply-as-tipster.server.ts";
export type { DecideAnswer } from "./approve-application.server.ts";
export { deleteOldImages } from "./change-creator-image.server.ts";
export {
  type Creator,
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryOf,
} from "./creator.server.ts";
export { declineApplication } from "./decline-application.server.ts";
export { demoAnalysts } from "./demo-analysts.server.ts";
export type { EditCreatorAnswer } from "./edit-creator.server.ts";
export { findCreator } from "./find-creator.server.ts";
export { deleteApplicationsOf, deleteOldApplications } from "./forget-applications.server.ts";
export { type InviteAnalystAnswer, inviteAgain, inviteAnalyst } from "./invite-analyst.server.ts";
export {
  type Application,
  type ApplicationStatus,
  countOpenApplications,
  listApplications,
} from "./list-applications.server.ts";
export { countCreators, listCreators } from "./list-creators.server.ts";
export {
  type CreatorOrder,
  listEveryCreator,
} from "./list-every-creator.server.ts";
export type { WaitingInvitation } from "./list-invitations.server.ts";
export { type MakeCreatorAnswer, makeCreator, type NewCreator } from "./make-creator.server.ts";
export { type CreatorNotice, notifyCreator, readCreatorNotices } from "./notify-creator.server.ts";
export { readCreatorSummaries } from "./read-creator-summaries.server.ts";
export { readInvitation } from "./read-invitation.server.ts";
export { creatorOrAnswer, requireCreator } from "./require-creator.server.ts";
export { sendTipsterApplication } from "./send-tipster-application.route.ts";
export type { SetCreatorImageAnswer } from "./set-creator-image.server.ts";
export { type CreatorStandingAnswer, suspendCreator } from "./suspend-creator.server.ts";
export { creatorRecords, creators } from "./tables.server.ts";
export { updateTipsterProfile } from "./update-tipster-profile.route.ts";
export { updateTipsterProfileImage } from "./update-tipster-profile-image.route.ts";
