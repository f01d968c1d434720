import { and, eq, lt } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { decrypt } from "#platform/encrypt.server.ts";
import { log } from "#platform/log.server.ts";
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

/**
 * Starts the session of a user whose password is correct, if the code is: each app code or recovery
 * code works once. After five wrong codes the owner gets an email, since someone else may know the
 * password, and the waiting times double.
 */
export async function signInWithCode(
  userId: string,
  code: string,
  request: Request,
): Promise<VerifyCodeResult> {
  const viewer = await findViewerById(userId);
  if (!viewer) return { ok: false, refusal: "password-required" };
  const attemptKey = `code:${readKnownBrowser(request, viewer.email) ?? userId}`;
  const attempt = await takeCodeAttempt(attemptKey);
  if (!attempt.ok)
    return { ok: false, refusal: "too-many-attempts", retryAfterSeconds: attempt.waitSeconds };
  if (!(await consumeCode(viewer, parseDigits(code)))) {
    if (shouldWarn(attempt.count))
      await transaction((tx) => sendTwoStepEmail(tx, viewer, "wrong-codes"));
    return { ok: false, refusal: "wrong-code" };
  }

  await resetPasswordAttempts([attemptKey]);
  const headers = await startSession(userId, {
    currentToken: readSessionToken(request),
    isCodeVerified: true,
  });
  headers.append("Set-Cookie", createKnownBrowserCookie(request, viewer.email));
  headers.append("Set-Cookie", expirePasswordStepCookie());
  return { ok: true, viewer, headers };
}

/**
 * Warns at the fifth wrong code and then at every 25th, about once a day at the maximum waiting
 * time.
 */
function shouldWarn(count: number): boolean {
  return count === 5 || count % 25 === 0;
}

async function consumeCode(viewer: Viewer, digits: string): Promise<boolean> {
  const [row] = await database()
    .select({ encryptedKey: twoStepKeys.encryptedKey })
    .from(twoStepKeys)
    .where(eq(twoStepKeys.userId, viewer.id));
  if (!row) return false;
  if (digits.length > 6) return await redeemRecoveryCode(viewer, digits);
  const key = decryptKey(viewer.id, row.encryptedKey);
  const step = key && findStep(key, digits);
  if (!step) return false;
  // Of two concurrent requests with the same code, only one succeeds.
  const updated = await database()
    .update(twoStepKeys)
    .set({ lastStep: step })
    .where(and(eq(twoStepKeys.userId, viewer.id), lt(twoStepKeys.lastStep, step)))
    .returning({ userId: twoStepKeys.userId });
  return updated.length > 0;
}

/** Returns null if AUTH_SECRET has changed since; then only a recovery code works. */
function decryptKey(userId: string, encryptedKey: string): string | null {
  try {
    return decrypt(encryptedKey, { purpose: "two-step-key", owner: userId });
  } catch {
    log.error(
      { user: userId },
      "two-step key can't be decrypted: it was encrypted with an old AUTH_SECRET",
    );
    return null;
  }
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
