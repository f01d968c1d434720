// Messages of accounts, shared by pages and the JSON API.

export const WRONG_CREDENTIALS = "Invalid email or password. Please check your credentials.";
/** Title above the reason of a refused login. */
export const LOGIN_FAILED = "Authentication Failed";
export const CODE_REQUIRED = "Enter the code from your authenticator app as well.";
export const ACTION_CODE_REQUIRED = "Enter the code from your authenticator app.";
export const TWO_STEP_OFF = "Set up two-step login first: actions that move money need it.";
export const WRONG_CODE =
  "That code is wrong or has already been used. Wait for the next code and try again.";
/** The hint beside the field for a code in the demo. */
export const demoCodeHint = (code: string) => `The demo shows the current code: ${code}`;
export const PASSWORD_REQUIRED = "Please log in with your password first.";
export const NOT_CONFIRMED =
  "Please confirm your email address before logging in. Check your inbox (and spam folder) for the confirmation link.";
export const SESSION_EXPIRED = "Session Expired: Your session has expired. Please log in again.";
export const EMAIL_TAKEN = "Email already registered. Please try logging in instead.";
export const WEAK_PASSWORD = "Password is too weak. Please use a stronger password.";
export const TERMS_NOT_ACCEPTED = "Please confirm that you are 18 or older and agree to the terms";
export const CONFIRMATION_RESENT =
  "Confirmation email resent! Please check your inbox and spam folder.";
export const EMAIL_REQUIRED = "Please enter your email address first";

export const TOO_MANY_EMAILS =
  "We send at most three emails an hour to one address. Check your spam folder, or try again later.";

/** Returns the message for too many attempts, with the waiting time if known. */
export function tooManyAttemptsMessage(seconds?: number): string {
  if (!seconds) return "Too many attempts. Please wait a few minutes and try again.";
  const wait =
    seconds <= 90
      ? `${seconds} second${seconds === 1 ? "" : "s"}`
      : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts. Please wait ${wait} and try again.`;
}

/** Refusals to accept an invitation. */
export const INVITATION_ENDED = "This invitation is no longer open.";
export const CONFIRM_FIRST =
  'Confirm your email address first. Use the link in the email we sent you, or select "Forgotten your password?" on the login page.';

/** Refusal to invite an admin. */
export const SUSPENDED_INVITEE =
  "They are a suspended tipster or analyst. Lift the suspension first.";
