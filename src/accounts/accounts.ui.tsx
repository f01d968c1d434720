// Public interface of accounts for pages: its forms and the synchronisation of browser tabs.

export { AccountLayout } from "./account-layout.ui.tsx";
export {
  emailInput,
  nameInput,
  passwordInput,
  termsAcceptedInput,
} from "./accounts.input.ts";
export { MAX_GRANT_COINS } from "./admin/grant-coins.input.ts";
export { SignInForm } from "./admin/sign-in-form.ui.tsx";
export { UserBadges } from "./admin/user-badges.ui.tsx";
export { MAX_NOTE_LENGTH } from "./admin/user-note.input.ts";
export { AcceptInvitation } from "./invitations/accept-invitation.ui.tsx";
export {
  ACTION_CODE_REQUIRED,
  CONFIRM_FIRST,
  demoCodeHint,
  INVITATION_ENDED,
  SESSION_EXPIRED,
  TWO_STEP_OFF,
  tooManyAttemptsMessage,
  WEAK_PASSWORD,
  WRONG_CODE,
} from "./messages.ts";
export { ChangePasswordForm } from "./password/change-password-form.ui.tsx";
export type { action } from "./profile/confirmation.page.tsx";
export { ProfileLayout } from "./profile/profile-layout.ui.tsx";
export { useCooldown } from "./registration/use-cooldown.ts";
export { resolveReturnTarget } from "./return-target.ts";
export { broadcastBalanceChange, broadcastSessionChange, useSessionSync } from "./session-sync.ts";
export { AccountForm, type AccountMode } from "./sign-in/account-form.ui.tsx";
export { queueSignOut, usePendingLogout } from "./sign-in/pending-logout.ts";
export { PendingLogout } from "./sign-in/pending-logout.ui.tsx";
export type { CodeState } from "./two-step/confirm-code.server.ts";
export { useFocusFirstError } from "./use-focus.ts";
