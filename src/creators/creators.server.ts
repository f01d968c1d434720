// Public interface of creators: applications, invitations, profiles and suspension.

export {
  countOpenApplications,
  findApplication,
  listApplications,
  listApplicationsByPhone,
} from "./applications/applications.server.ts";
export { applyAsTipster } from "./applications/apply-as-tipster.server.ts";
export {
  anonymiseOldApplications,
  removeApplicant,
} from "./applications/delete-applications.server.ts";
export { createCreator } from "./create-creator.server.ts";
export {
  type Creator,
  type CreatorSummary,
  findCreator,
  readCreatorSummaries,
  readTipCounts,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toCreatorSummary,
} from "./creator.server.ts";
export { readInvitation } from "./invitations/invitations.server.ts";
export { resendInvitation } from "./invitations/invite-analyst.server.ts";
export {
  countCreators,
  listAllCreators,
  listCreators,
} from "./list-creators.server.ts";
export { listDemoAnalysts } from "./login/demo-analysts.server.ts";
export { handleAnalystLogin } from "./login/handle-creator-login.server.ts";
export { type CreatorNotice, notifyCreator, readCreatorNotices } from "./notify-creator.server.ts";
export { deleteOldImages } from "./profile/creator-photo.server.ts";
export { eraseCreatorProfile } from "./profile/erase-creator-profile.server.ts";
export { creatorOrErrorResponse, requireCreator } from "./require-creator.server.ts";
export { creatorRecords, creators } from "./tables.server.ts";
