// The door of identity: who is here, and what they may.
export { resendConfirmation, sendRequestedMail } from "./ask-for-mail.server.ts";
export { type ChangePasswordAnswer, changePassword } from "./change-password.server.ts";
export { type ChangeEmailAnswer, changeName, requestEmailChange } from "./change-profile.server.ts";
export { type CheckAnswer, checkPassword } from "./check-password.server.ts";
export { closeAccount } from "./close-account.server.ts";
export { isCommonPassword } from "./common-passwords.server.ts";
export { readOwnCookie, writeCookie } from "./cookies.server.ts";
export { createUserInTransaction, type NewUser } from "./create-user.server.ts";
export { deleteExpired } from "./delete-expired.server.ts";
export { deleteOldSessions } from "./delete-old-sessions.server.ts";
export { endSessionsOf } from "./end-sessions-of.server.ts";
export { ensureFirstAdmin } from "./ensure-first-admin.server.ts";
export {
  countUsers,
  findUserByEmail,
  readUsers,
  type User,
  usersWithRole,
} from "./find-user.server.ts";
export { type GrantCoinsAnswer, grantCoins } from "./grant-coins.server.ts";
export { type ListedUser, listUsers, USER_ORDERS, type UserOrder } from "./list-users.server.ts";
export { hashPassword, isPasswordOf } from "./password-hash.server.ts";
export { type Account, readAccount } from "./read-account.server.ts";
export { readMemberSince } from "./read-member-since.server.ts";
export { recordAgreement } from "./record-agreement.server.ts";
export { setPasswordLink } from "./reset-password.server.ts";
export { grantRole, readRoles, revokeRole } from "./roles.server.ts";
export { sendConfirmation } from "./send-confirmation.server.ts";
export { sessionToken } from "./session-token.server.ts";
export { startSession } from "./sessions.server.ts";
export { type SignInAnswer, signIn } from "./sign-in.server.ts";
export { signOut, signOutEverywhere } from "./sign-out.server.ts";
export { canTakeOver, takeOverUnconfirmed } from "./take-over-unconfirmed.server.ts";
export { codeRedirect } from "./two-step/code-redirect.server.ts";
export { readTwoStep, type TwoStep } from "./two-step/read-two-step.server.ts";
export { replaceRecoveryCodes } from "./two-step/replace-recovery-codes.server.ts";
export { turnOffTwoStep } from "./two-step/turn-off-two-step.server.ts";
export {
  type OfferedKey,
  offerTwoStepKey,
  turnOnTwoStep,
} from "./two-step/turn-on-two-step.server.ts";
export {
  hadSession,
  type Role,
  readViewer,
  requireRole,
  requireViewer,
  sessionMark,
  signInAddress,
  type Viewer,
  viewerOf,
} from "./viewer.server.ts";
