// Public interface of accounts: users, sessions, passwords, two-step login and roles.

export { anonymiseOldSessions, deleteExpired } from "./delete-expired.server.ts";
export { setEmailSetting } from "./email-settings.server.ts";
export { ensureFirstAdmin } from "./ensure-first-admin.server.ts";
export {
  isAwaitingTwoStep,
  readAdminInvitationEmails,
} from "./invitations/admin-invitations.server.ts";
export { renderInvitationEmail } from "./invitations/invitation.email.tsx";
export { revokeCreatorRole } from "./invitations/invite-admin.server.ts";
export {
  type Account,
  listUsers,
  readAccount,
} from "./list-users.server.ts";
export { isCommonPassword } from "./password/common-passwords.server.ts";
export { handleChangePassword } from "./password/handle-change-password.server.ts";
export { hashPassword, verifyPassword } from "./password/password-hash.server.ts";
export { type ReauthenticationResult, reauthenticate } from "./password/reauthenticate.server.ts";
export { createPasswordLink } from "./password/reset-password.server.ts";
export { closeAccount } from "./profile/close-account.server.ts";
export {
  canClaimAccount,
  claimUnconfirmedAccount,
} from "./registration/claim-unconfirmed-account.server.ts";
export {
  createUserInTransaction,
  recordAgreement,
} from "./registration/create-user.server.ts";
export { sendConfirmation } from "./registration/send-confirmation.server.ts";
export { sendRequestedEmail } from "./request-email.server.ts";
export { grantRole, readRoles } from "./roles.server.ts";
export { parseSessionToken, readSessionToken } from "./session-token.server.ts";
export { listSessionStarts, startSession } from "./sessions.server.ts";
export { signIn } from "./sign-in/sign-in.server.ts";
export { refuseSignIn, type SignInWords } from "./sign-in/sign-in-refusal.server.ts";
export { signOut } from "./sign-in/sign-out.server.ts";
export { confirmCode, readCodeState } from "./two-step/confirm-code.server.ts";
export { readTwoStep } from "./two-step/recovery-codes.server.ts";
export {
  countNewUsers,
  countUsers,
  findUserByEmail,
  listUsersWithRole,
  lockUser,
  readMemberSince,
  readUsers,
  type User,
} from "./users.server.ts";
export {
  findViewer,
  findViewerByRequest,
  hasSessionCookie,
  loginPath,
  requireViewer,
  sessionFingerprint,
  type Viewer,
} from "./viewer.server.ts";
