import { BUSY, tooManyAttempts } from "#identity/identity.ui.tsx";

/** Messages and statuses for a failed repeated password check, by error code. */
export const passwordChecks = {
  "wrong-password": ["Password is incorrect.", 401],
  "too-many-attempts": [tooManyAttempts(), 429],
  busy: [BUSY, 503],
} satisfies Record<string, [string, number]>;

/** Messages and statuses for a failed check before two-step login is changed. */
export const twoStepChecks = {
  ...passwordChecks,
  "already-off": ["Two-step login is not on.", 409],
} satisfies Record<string, [string, number]>;
