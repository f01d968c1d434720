import { redirect } from "react-router";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import {
  NOT_CONFIRMED,
  PASSWORD_REQUIRED,
  TOO_MANY_EMAILS,
  tooManyAttemptsMessage,
  WRONG_CODE,
  WRONG_CREDENTIALS,
} from "../messages.ts";
import type { VerifyCodeResult } from "../two-step/verify-code.server.ts";
import type { SignInResult } from "./sign-in.server.ts";

type RefusedSignIn = Extract<SignInResult, { ok: false }>;
type Refused = Exclude<
  RefusedSignIn | Extract<VerifyCodeResult, { ok: false }>,
  { refusal: "code-needed" }
>;
/** The messages of a form with its own. */
export type SignInWords = Partial<Record<Refused["refusal"], string>>;

const REFUSALS = {
  "wrong-credentials": [WRONG_CREDENTIALS, 401],
  "not-permitted": [WRONG_CREDENTIALS, 401],
  "wrong-code": [WRONG_CODE, 401],
  "password-required": [PASSWORD_REQUIRED, 401],
  "not-confirmed": [NOT_CONFIRMED, 403],
  "too-many-attempts": [tooManyAttemptsMessage(), 429],
  busy: [SERVER_BUSY_MESSAGE, 503],
} as const;

/** Returns how a login form refuses. Throws a redirect to the page for the code if one is needed. */
export function refuseSignIn(refused: RefusedSignIn, target: string, words?: SignInWords) {
  if (refused.refusal === "code-needed") {
    const { headers } = refused;
    throw redirect(`/login/code?return=${encodeURIComponent(target)}`, { headers });
  }
  return describeSignInRefusal(refused, words);
}

/** Returns the message, the status and the headers of the response to a refused login. */
export function describeSignInRefusal(refused: Refused, words: SignInWords = {}) {
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

/** Returns how a form refuses to send another email to an address. */
export function refuseTooManyEmails(seconds: number) {
  return { message: TOO_MANY_EMAILS, status: 429, headers: retryAfter(seconds) };
}

function retryAfter(seconds: number) {
  return { "Retry-After": String(seconds) };
}
