import { BUSY, tooManyAttempts } from "#identity/identity.ui.tsx";

/** What is said where the password asked again is not it, with the status of it. */
export const passwordChecks = {
  "wrong-password": ["Password is incorrect.", 401],
  "too-many-attempts": [tooManyAttempts(), 429],
  busy: [BUSY, 503],
} satisfies Record<string, [string, number]>;

/** The same before something is done about the second step. */
export const twoStepChecks = {
  ...passwordChecks,
  "already-off": ["Two-step login is not on.", 409],
} satisfies Record<string, [string, number]>;
