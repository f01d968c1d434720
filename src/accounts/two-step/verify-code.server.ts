import { and, eq, lt } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import {
  createAddressKey,
  isWithinLimit,
  resetPasswordAttempts,
  SIGN_IN_LIMIT,
  takeCodeAttempt,
} from "#platform/rate-limits.server.ts";
import { createKnownBrowserCookie, readKnownBrowser } from "../browser-cookies.server.ts";
import { readSessionToken } from "../session-token.server.ts";
import { startSession } from "../sessions.server.ts";
import { credentials, twoStepKeys } from "../tables.server.ts";
import { findViewerById, type Viewer } from "../viewer.server.ts";
import { findKey, readDemoCode } from "./find-key.server.ts";
import { findStep } from "./one-time-code.server.ts";
import {
  expirePasswordStepCookie,
  passwordFingerprint,
  readPasswordStep,
} from "./password-step-cookie.server.ts";
import { consumeRecoveryCode, countRecoveryCodes } from "./recovery-codes.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";
import { parseDigits } from "./two-step.input.ts";

export type VerifyCodeResult =
  | { ok: true; viewer: Viewer; headers: Headers }
  | { ok: false; refusal: "wrong-code" }
  | { ok: false; refusal: "password-required" }
  | { ok: false; refusal: "too-many-attempts"; retryAfterSeconds: number };

/** Verifies the code of a browser that has entered the correct password, and starts the session. */
export async function verifyCode(input: {
  code: string;
  request: Request;
  clientAddress: string;
}): Promise<VerifyCodeResult> {
  const { code, request, clientAddress } = input;
  if (!(await isWithinLimit(createAddressKey("sign-in", clientAddress), SIGN_IN_LIMIT)))
    return { ok: false, refusal: "too-many-attempts", retryAfterSeconds: SIGN_IN_LIMIT.seconds };
  const passwordStep = readPasswordStep(request);
  if (!passwordStep || (await readFingerprint(passwordStep.userId)) !== passwordStep.fingerprint)
    return { ok: false, refusal: "password-required" };
  return await signInWithCode(passwordStep.userId, code, request);
}

/** Returns the current code in the demo for a browser that has entered the correct password. */
export async function readDemoCodeOfStep(request: Request): Promise<string | null> {
  const step = readPasswordStep(request);
  const viewer = step && (await findViewerById(step.userId));
  return viewer && readDemoCode((await findKey(viewer))?.key ?? null);
}

/** Starts the session of a user whose password is correct, if the code is. */
export async function signInWithCode(
  userId: string,
  code: string,
  request: Request,
): Promise<VerifyCodeResult> {
  const viewer = await findViewerById(userId);
  if (!viewer) return { ok: false, refusal: "password-required" };
  const attemptKey = `code:${readKnownBrowser(request, viewer.email) ?? userId}`;
  const result = await tryCode(viewer, code, { attemptKey, wrongCodesEmail: "wrong-codes" });
  if (!result.ok) return result;
  const headers = await startSession(userId, {
    currentToken: readSessionToken(request),
    codeVerifiedAt: now(),
  });
  headers.append("Set-Cookie", createKnownBrowserCookie(request, viewer.email));
  headers.append("Set-Cookie", expirePasswordStepCookie());
  return { ok: true, viewer, headers };
}

type TryCodeResult =
  | { ok: true }
  | { ok: false; refusal: "wrong-code" }
  | { ok: false; refusal: "too-many-attempts"; retryAfterSeconds: number };

/**
 * Uses up a code: each app code or recovery code works once. After five wrong codes with the same key the owner gets
 * an email, since it may be somebody else, and the waiting times double.
 */
export async function tryCode(
  viewer: Viewer,
  code: string,
  {
    attemptKey,
    wrongCodesEmail,
  }: { attemptKey: string; wrongCodesEmail: "wrong-codes" | "wrong-action-codes" },
): Promise<TryCodeResult> {
  const attempt = await takeCodeAttempt(attemptKey);
  if (!attempt.ok)
    return { ok: false, refusal: "too-many-attempts", retryAfterSeconds: attempt.waitSeconds };
  if (!(await consumeCode(viewer, parseDigits(code)))) {
    if (shouldWarn(attempt.count))
      await transaction((tx) => sendTwoStepEmail(tx, viewer, wrongCodesEmail));
    return { ok: false, refusal: "wrong-code" };
  }
  await resetPasswordAttempts([attemptKey]);
  return { ok: true };
}

/**
 * Warns at the fifth wrong code and then at every 25th, about once a day at the maximum waiting
 * time.
 */
function shouldWarn(count: number): boolean {
  return count === 5 || count % 25 === 0;
}

async function consumeCode(viewer: Viewer, digits: string): Promise<boolean> {
  const stored = await findKey(viewer);
  if (!stored) return false;
  if (digits.length > 6) return await redeemRecoveryCode(viewer, digits);
  const step = stored.key && findStep(stored.key, digits);
  if (!step) return false;
  if (stored.isOfDemo) return true;
  // Of two concurrent requests with the same code, only one succeeds.
  const updated = await database()
    .update(twoStepKeys)
    .set({ lastStep: step })
    .where(and(eq(twoStepKeys.userId, viewer.id), lt(twoStepKeys.lastStep, step)))
    .returning({ userId: twoStepKeys.userId });
  return updated.length > 0;
}

async function redeemRecoveryCode(viewer: Viewer, digits: string): Promise<boolean> {
  return await transaction(async (tx) => {
    if (!(await consumeRecoveryCode(tx, viewer.id, digits))) return false;
    const codesLeft = await countRecoveryCodes(viewer.id, tx);
    await writeAudit(tx, {
      actorId: viewer.id,
      action: "use-recovery-code",
      subject: viewer.id,
      details: { codesLeft },
    });
    await sendTwoStepEmail(tx, viewer, "code-used");
    return true;
  });
}

async function readFingerprint(userId: string): Promise<string | null> {
  const [row] = await database()
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.providerId, "credential")));
  return row?.password ? passwordFingerprint(row.password) : null;
}
