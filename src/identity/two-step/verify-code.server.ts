import { and, eq, lt } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { decrypt } from "#platform/encrypt.server.ts";
import { log } from "#platform/log.server.ts";
import {
  addressKey,
  resetPasswordAttempts,
  SIGN_INS,
  takeCodeTry,
  withinLimit,
} from "#platform/rate-limits.server.ts";
import { knownBrowserCookie, readKnownBrowser } from "../browsers.server.ts";
import { sessionToken } from "../session-token.server.ts";
import { startSession } from "../sessions.server.ts";
import { credentials, twoStepKeys } from "../tables.server.ts";
import { type Viewer, viewerOfUser } from "../viewer.server.ts";
import { findStep } from "./one-time-code.server.ts";
import {
  expirePasswordStepCookie,
  markOf,
  readPasswordStep,
} from "./password-step-cookie.server.ts";
import { consumeRecoveryCode, countRecoveryCodes } from "./recovery-codes.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";
import { parseDigits } from "./two-step.input.ts";

export type VerifyCodeResult =
  | { ok: true; viewer: Viewer; headers: Headers }
  | { ok: false; refusal: "wrong-code" }
  | { ok: false; refusal: "password-first" }
  | { ok: false; refusal: "too-many-tries"; retryAfterSeconds: number };

/** The second step of a browser that has given the right password: with the code a session begins. */
export async function verifyCode(given: {
  code: string;
  request: Request;
  clientAddress: string;
}): Promise<VerifyCodeResult> {
  const { code, request, clientAddress } = given;
  if (!(await withinLimit(addressKey("sign-in", clientAddress), SIGN_INS)))
    return { ok: false, refusal: "too-many-tries", retryAfterSeconds: SIGN_INS.seconds };
  const from = readPasswordStep(request);
  if (!from || (await currentMark(from.userId)) !== from.mark)
    return { ok: false, refusal: "password-first" };
  return await signInWithCode(from.userId, code, request);
}

/**
 * Begins the session of someone whose password has been found right, if the code is: the app's, each
 * once, or one of the recovery codes. After five wrong codes the owner gets an email, and the waits between
 * tries double: someone else may have the password.
 */
export async function signInWithCode(
  userId: string,
  code: string,
  request: Request,
): Promise<VerifyCodeResult> {
  const viewer = await viewerOfUser(userId);
  if (!viewer) return { ok: false, refusal: "password-first" };
  const tries = `code:${readKnownBrowser(request, viewer.email) ?? userId}`;
  const attempt = await takeCodeTry(tries);
  if (!attempt.ok)
    return { ok: false, refusal: "too-many-tries", retryAfterSeconds: attempt.waitSeconds };
  if (!(await spendCode(viewer, parseDigits(code)))) {
    if (isWarned(attempt.count))
      await transaction((tx) => sendTwoStepEmail(tx, viewer, "wrong-codes"));
    return { ok: false, refusal: "wrong-code" };
  }

  await resetPasswordAttempts([tries]);
  const headers = await startSession(userId, {
    currentToken: sessionToken(request),
    isCodeGiven: true,
  });
  headers.append("Set-Cookie", knownBrowserCookie(request, viewer.email));
  headers.append("Set-Cookie", expirePasswordStepCookie());
  return { ok: true, viewer, headers };
}

/** At the fifth wrong code, and about once a day while someone goes on trying each time they may. */
function isWarned(count: number): boolean {
  return count === 5 || count % 25 === 0;
}

async function spendCode(viewer: Viewer, digits: string): Promise<boolean> {
  const [row] = await database()
    .select({ encryptedKey: twoStepKeys.encryptedKey })
    .from(twoStepKeys)
    .where(eq(twoStepKeys.userId, viewer.id));
  if (!row) return false;
  if (digits.length > 6) return await takeRecoveryCode(viewer, digits);
  const key = openKey(viewer.id, row.encryptedKey);
  const step = key && findStep(key, digits);
  if (!step) return false;
  // Of two that bring the same code at once, one finds the step taken.
  const spent = await database()
    .update(twoStepKeys)
    .set({ lastStep: step })
    .where(and(eq(twoStepKeys.userId, viewer.id), lt(twoStepKeys.lastStep, step)))
    .returning({ userId: twoStepKeys.userId });
  return spent.length > 0;
}

/** Null where the secret it was sealed with is gone: then only a recovery code helps. */
function openKey(userId: string, encryptedKey: string): string | null {
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

async function takeRecoveryCode(viewer: Viewer, digits: string): Promise<boolean> {
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

async function currentMark(userId: string): Promise<string | null> {
  const [row] = await database()
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.providerId, "credential")));
  return row?.password ? markOf(row.password) : null;
}
