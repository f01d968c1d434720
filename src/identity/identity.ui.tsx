// The door of identity for pages: its forms, and what keeps a browser's tabs together.
export type { AccountAnswer } from "./account-answer.ts";
export { AccountForm, type AccountMode } from "./account-form.ui.tsx";
export { AccountSheet } from "./account-sheet.ui.tsx";
export { SignInForm } from "./admin/sign-in-form.ui.tsx";
export { UserBadges } from "./admin/user-badges.ui.tsx";
export { MAX_GRANT_COINS } from "./grant-coins.input.ts";
export {
  agreedInput,
  emailInput,
  isReservedAddress,
  nameInput,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordInput,
} from "./identity.input.ts";
export {
  BUSY,
  SESSION_EXPIRED,
  tooManyAttempts,
  WEAK_PASSWORD,
} from "./messages.ts";
export { logOutLater, usePendingLogout } from "./pending-logout.ts";
export { PendingLogout } from "./pending-logout.ui.tsx";
export type { action } from "./profile/confirmation.page.tsx";
export { ProfileSheet } from "./profile/sheet.ui.tsx";
export { returnTarget } from "./return-target.ts";
export { announceBalance, announceSession, useSessionSync } from "./session-sync.ts";
export { useCooldown } from "./use-cooldown.ts";
export { useFirstError } from "./use-first-error.ts";
