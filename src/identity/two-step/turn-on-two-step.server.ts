import { eq } from "drizzle-orm";
import { writeAudit } from "#audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { resetPasswordAttempts, takePasswordAttempt } from "#platform/rate-limits.server.ts";
import { type CheckPasswordResult, checkPassword } from "../password/check-password.server.ts";
import { sessionToken } from "../session-token.server.ts";
import { endSessions, renewSession } from "../sessions.server.ts";
import { sessions, twoStepKeys, users } from "../tables.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { findStep, generateKey, otpauthUrl } from "./one-time-code.server.ts";
import { drawQrCode, type QrCode } from "./qr-code.server.ts";
import { createRecoveryCodes } from "./recovery-codes.server.ts";
import { sendTwoStepEmail } from "./send-two-step-email.server.ts";
import { parseDigits } from "./two-step.input.ts";

/** How long a key that is shown can be confirmed. */
const SHOWN_MS = 15 * 60 * 1000;

/** A key to be taken into an authenticator app. Nothing is stored of it before a code of it comes back. */
export type SetupKey = {
  /** Groups of letters, for typing. */
  key: string;
  picture: QrCode;
  /** Comes back with the first code. */
  sealed: string;
};

type OfferSetupKeyResult =
  | { ok: true; offered: SetupKey }
  | { ok: false; refusal: Exclude<CheckPasswordResult, "right"> };

/** Offers someone, who gives their password again, a key for an authenticator app. */
export async function offerSetupKey(
  viewer: Viewer,
  password: string,
): Promise<OfferSetupKeyResult> {
  const check = await checkPassword(viewer.id, password);
  if (check !== "right") return { ok: false, refusal: check };
  const key = generateKey();
  const sealed = encrypt(
    JSON.stringify({ key, until: now().getTime() + SHOWN_MS }),
    lockOf(viewer),
  );
  return { ok: true, offered: show(viewer, key, sealed) };
}

export type TurnOnTwoStepResult =
  | { ok: true; recoveryCodes: string[]; headers: Headers }
  | { ok: false; refusal: "offer-over" | "on-already" | "too-many-tries" }
  | { ok: false; refusal: "wrong-code"; offered: SetupKey };

/**
 * Turns the second step on, once a code shows that the app has the key. Every other session ends, this one
 * goes on under another token, and from then on none begins without a code. Answers the recovery codes,
 * which are never shown again.
 */
export async function turnOnTwoStep(
  viewer: Viewer,
  given: { sealed: string; code: string },
  request: Request,
): Promise<TurnOnTwoStepResult> {
  const key = openOffer(viewer, given.sealed);
  if (!key) return { ok: false, refusal: "offer-over" };
  const tries = `code:offer:${viewer.id}`;
  if (await takePasswordAttempt(tries)) return { ok: false, refusal: "too-many-tries" };
  const step = findStep(key, parseDigits(given.code));
  if (step === null)
    return { ok: false, refusal: "wrong-code", offered: show(viewer, key, given.sealed) };
  await resetPasswordAttempts([tries]);

  const token = sessionToken(request);
  const recoveryCodes = await transaction(async (tx) => {
    // The strongest lock, which a session that is just beginning waits for.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)).for("update");
    const [made] = await tx
      .insert(twoStepKeys)
      .values({
        userId: viewer.id,
        encryptedKey: encrypt(key, { purpose: "two-step-key", owner: viewer.id }),
        lastStep: step,
        createdAt: now(),
      })
      .onConflictDoNothing()
      .returning({ userId: twoStepKeys.userId });
    if (!made) return null;
    await endSessions(tx, viewer.id, { exceptToken: token });
    if (token)
      await tx.update(sessions).set({ codeVerifiedAt: now() }).where(eq(sessions.token, token));
    await writeAudit(tx, { actorId: viewer.id, action: "turn-on-two-step", subject: viewer.id });
    await sendTwoStepEmail(tx, viewer, "on");
    return await createRecoveryCodes(tx, viewer.id);
  });
  if (!recoveryCodes) return { ok: false, refusal: "on-already" };
  return { ok: true, recoveryCodes, headers: token ? await renewSession(token) : new Headers() };
}

function show(viewer: Viewer, key: string, sealed: string): SetupKey {
  return {
    key: (key.match(/.{4}/g) ?? []).join(" "),
    picture: drawQrCode(otpauthUrl(key, viewer.email)),
    sealed,
  };
}

function openOffer(viewer: Viewer, sealed: string): string | null {
  try {
    const { key, until } = JSON.parse(decrypt(sealed, lockOf(viewer)));
    return now().getTime() < until ? key : null;
  } catch {
    return null;
  }
}

function lockOf(viewer: Viewer) {
  return { purpose: "two-step-offer", owner: viewer.id };
}
