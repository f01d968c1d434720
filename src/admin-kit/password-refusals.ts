import { tooManyAttemptsMessage } from "#accounts/accounts.ui.tsx";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";

/** Messages and statuses for a failed repeated password check, by error code. */
export const passwordRefusals = {
  "wrong-password": ["Password is incorrect.", 401],
  "too-many-attempts": [tooManyAttemptsMessage(), 429],
  busy: [SERVER_BUSY_MESSAGE, 503],
} satisfies Record<string, [string, number]>;

/** Messages and statuses for a failed check before two-step login is changed. */
export const twoStepRefusals = {
  ...passwordRefusals,
  "already-off": ["Two-step login is not on.", 409],
  required: ["Your admin role requires two-step login. Step down first.", 409],
} satisfies Record<string, [string, number]>;
