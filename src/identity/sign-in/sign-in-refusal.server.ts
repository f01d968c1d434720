import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import {
  NOT_CONFIRMED,
  PASSWORD_REQUIRED,
  tooManyAttemptsMessage,
  WRONG_CODE,
  WRONG_CREDENTIALS,
} from "../messages.ts";
import type { VerifyCodeResult } from "../two-step/verify-code.server.ts";
import type { SignInResult } from "./sign-in.server.ts";

type Refused = Exclude<
  Extract<SignInResult | VerifyCodeResult, { ok: false }>,
  { refusal: "code-needed" }
>;

const REFUSALS = {
  "wrong-credentials": [WRONG_CREDENTIALS, 401],
  "not-permitted": [WRONG_CREDENTIALS, 401],
  "wrong-code": [WRONG_CODE, 401],
  "password-required": [PASSWORD_REQUIRED, 401],
  "not-confirmed": [NOT_CONFIRMED, 403],
  "too-many-attempts": [tooManyAttemptsMessage(), 429],
  busy: [SERVER_BUSY_MESSAGE, 503],
} as const;

/**
 * Returns the message, the status and the headers of the response to a refused login. `words` are the
 * messages of a form with its own.
 */
export function describeSignInRefusal(
  refused: Refused,
  words: Partial<Record<Refused["refusal"], string>> = {},
) {
  const [message, status] = REFUSALS[refused.refusal];
  if (refused.refusal === "too-many-attempts") {
    const seconds = refused.retryAfterSeconds;
    return { message: tooManyAttemptsMessage(seconds), status, headers: retryAfter(seconds) };
  }
  return {
    message: words[refused.refusal] ?? message,
    status,
    headers: refused.refusal === "busy" ? retryAfter(5) : undefined,
  };
}

export function retryAfter(seconds: number) {
  return { "Retry-After": String(seconds) };
}
