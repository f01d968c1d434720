// Public interface of creators: applications, invitations, profiles and suspension.

export {
  type Application,
  countOpenApplications,
  findApplication,
  listApplications,
  listApplicationsByPhone,
} from "./applications/applications.server.ts";
export { applyAsTipster } from "./applications/apply-as-tipster.server.ts";
export type { DecideApplicationResult } from "./applications/approve-application.server.ts";
export {
  anonymiseOldApplications,
  removeApplicant,
} from "./applications/delete-applications.server.ts";
export { sendTipsterApplication } from "./applications/send-tipster-application.route.ts";
export { createCreator } from "./create-creator.server.ts";
export {
  type Creator,
  type CreatorSummary,
  findCreator,
  readCreatorSummaries,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toCreatorSummary,
} from "./creator.server.ts";
export type { PendingInvitation } from "./invitations/invitations.server.ts";
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
export type { SetCreatorPhotoResult } from "./profile/creator-photo.server.ts";
export { deleteOldImages, eraseCreatorPhoto } from "./profile/creator-photo.server.ts";
export type { EditCreatorResult } from "./profile/edit-creator.server.ts";
export { updateTipsterProfile } from "./profile/update-tipster-profile.route.ts";
export { updateTipsterProfileImage } from "./profile/update-tipster-profile-image.route.ts";
export { creatorOrErrorResponse, requireCreator } from "./require-creator.server.ts";
export { creatorRecords, creators } from "./tables.server.ts";
