import { eq } from "drizzle-orm";
import { writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { resetPasswordAttempts, takePasswordAttempt } from "#platform/rate-limits.server.ts";
import { lockAcceptedInvitation } from "../invitations/admin-invitations.server.ts";
import { type ReauthenticationResult, reauthenticate } from "../password/reauthenticate.server.ts";
import { grantRole } from "../roles.server.ts";
import { readSessionToken } from "../session-token.server.ts";
import { endSessions, renewSession } from "../sessions.server.ts";
import { sessions, twoStepKeys, users } from "../tables.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { readDemoCode } from "./find-key.server.ts";
import { buildOtpauthUrl, findStep, generateKey } from "./one-time-code.server.ts";
import { drawQrCode, type QrCode } from "./qr-code.server.ts";
import { createRecoveryCodes } from "./recovery-codes.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";
import { parseDigits } from "./two-step.input.ts";

/** How long a displayed key can be confirmed. */
const SETUP_KEY_LIFETIME_MS = 15 * 60 * 1000;

/** A key for an authenticator app. Nothing is stored before its first code is verified. */
export type SetupKey = {
  /** Groups of four letters, for typing. */
  key: string;
  qrCode: QrCode;
  /** The encrypted key, sent back with the first code. */
  encryptedKey: string;
  /** The current code, which the demo shows. */
  demoCode: string | null;
};

type CreateSetupKeyResult =
  | { ok: true; setupKey: SetupKey }
  | { ok: false; refusal: Exclude<ReauthenticationResult, "correct"> };

/** Creates a key for an authenticator app after verifying the viewer's password. */
export async function createSetupKey(
  viewer: Viewer,
  password: string,
): Promise<CreateSetupKeyResult> {
  const check = await reauthenticate(viewer.id, password);
  if (check !== "correct") return { ok: false, refusal: check };
  const key = generateKey();
  const encryptedKey = encrypt(
    JSON.stringify({ key, until: now().getTime() + SETUP_KEY_LIFETIME_MS }),
    encryptionContext(viewer),
  );
  return { ok: true, setupKey: toSetupKey(viewer, key, encryptedKey) };
}

export type TurnOnTwoStepResult =
  | { ok: true; recoveryCodes: string[]; headers: Headers }
  | { ok: false; refusal: "setup-key-expired" | "already-on" | "too-many-attempts" }
  | { ok: false; refusal: "wrong-code"; setupKey: SetupKey };

/**
 * Turns two-step login on once a code proves that the app has the key. Ends every other session
 * and renews this one. Grants the role to an invited admin. Returns the recovery codes, which are not shown again.
 */
export async function turnOnTwoStep(
  viewer: Viewer,
  input: { encryptedKey: string; code: string },
  request: Request,
): Promise<TurnOnTwoStepResult> {
  const key = decryptSetupKey(viewer, input.encryptedKey);
  if (!key) return { ok: false, refusal: "setup-key-expired" };
  const attemptKey = `code:offer:${viewer.id}`;
  const waitSeconds = await takePasswordAttempt(attemptKey);
  if (waitSeconds !== null) return { ok: false, refusal: "too-many-attempts" };
  const step = findStep(key, parseDigits(input.code));
  if (step === null)
    return {
      ok: false,
      refusal: "wrong-code",
      setupKey: toSetupKey(viewer, key, input.encryptedKey),
    };
  await resetPasswordAttempts([attemptKey]);

  const token = readSessionToken(request);
  const recoveryCodes = await transaction(async (tx) => {
    // `for update` also blocks sessions that are being created.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)).for("update");
    const [inserted] = await tx
      .insert(twoStepKeys)
      .values({
        userId: viewer.id,
        encryptedKey: encrypt(key, { purpose: "two-step-key", owner: viewer.id }),
        lastStep: step,
        createdAt: now(),
      })
      .onConflictDoNothing()
      .returning({ userId: twoStepKeys.userId });
    if (!inserted) return null;
    await endSessions(tx, viewer.id, { exceptToken: token });
    if (token)
      await tx.update(sessions).set({ codeVerifiedAt: now() }).where(eq(sessions.token, token));
    await writeAudit(tx, { actorId: viewer.id, action: "turn-on-two-step", subject: viewer.id });
    await sendTwoStepEmail(tx, viewer, "on");
    // An invited admin gets the role now.
    const invitation = await lockAcceptedInvitation(tx, viewer.id);
    if (invitation)
      await grantRole(tx, { userId: viewer.id, role: "admin", actorId: invitation.invitedBy });
    return await createRecoveryCodes(tx, viewer.id);
  });
  if (!recoveryCodes) return { ok: false, refusal: "already-on" };
  return { ok: true, recoveryCodes, headers: token ? await renewSession(token) : new Headers() };
}

function toSetupKey(viewer: Viewer, key: string, encryptedKey: string): SetupKey {
  return {
    key: (key.match(/.{4}/g) ?? []).join(" "),
    qrCode: drawQrCode(buildOtpauthUrl(key, viewer.email)),
    encryptedKey,
    demoCode: readDemoCode(key),
  };
}

function decryptSetupKey(viewer: Viewer, encryptedKey: string): string | null {
  try {
    const { key, until } = JSON.parse(decrypt(encryptedKey, encryptionContext(viewer)));
    return now().getTime() < until ? key : null;
  } catch {
    return null;
  }
}

function encryptionContext(viewer: Viewer) {
  return { purpose: "two-step-offer", owner: viewer.id };
}
