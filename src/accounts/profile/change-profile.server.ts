import { and, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { isWithinLimit, tryConsumeEmailLimit } from "#platform/rate-limits.server.ts";
import { createEmailLink, revokeEmailLinks } from "../email-links.server.ts";
import { readPasswordHash } from "../password/credentials.server.ts";
import { type ReauthenticationResult, reauthenticate } from "../password/reauthenticate.server.ts";
import { users } from "../tables.server.ts";
import { findUserByEmail, lockUser } from "../users.server.ts";
import type { Viewer } from "../viewer.server.ts";
import { renderChangeEmailEmail } from "./change-email.email.tsx";

/** Changes a user's name, unless the account is closed meanwhile. `name` must be validated by nameInput. */
export async function changeName(userId: string, name: string): Promise<void> {
  await database()
    .update(users)
    .set({ name, updatedAt: now() })
    .where(and(eq(users.id, userId), isNull(users.closedAt)));
}

/** Allows for typing mistakes, but prevents testing which of many addresses have an account. */
const NEW_ADDRESS_LIMIT = { max: 10, seconds: 60 * 60 };

export type ChangeEmailResult =
  | { ok: true }
  | {
      ok: false;
      refusal:
        | "same-email"
        | "email-taken"
        | "too-many-emails"
        | Exclude<ReauthenticationResult, "correct">;
    };

/**
 * Sends a confirmation link to the new address and revokes those sent to other addresses. The old address stays in use
 * until the link is confirmed. Requires the password, because control of the address allows resetting it.
 */
export async function requestEmailChange(
  viewer: Viewer,
  { email, password }: { email: string; password: string },
): Promise<ChangeEmailResult> {
  if (email === viewer.email) return { ok: false, refusal: "same-email" };
  if (!(await isWithinLimit(`new-address:${viewer.id}`, NEW_ADDRESS_LIMIT)))
    return { ok: false, refusal: "too-many-attempts" };
  const previousHash = await readPasswordHash(viewer.id);
  const check = await reauthenticate(viewer.id, password);
  if (check !== "correct") return { ok: false, refusal: check };
  if (await findUserByEmail(email)) return { ok: false, refusal: "email-taken" };
  if (!(await tryConsumeEmailLimit(email))) return { ok: false, refusal: "too-many-emails" };
  return await transaction(async (tx): Promise<ChangeEmailResult> => {
    await lockUser(tx, viewer.id);
    // Refuses a request made with the old password once the password has changed.
    if ((await readPasswordHash(viewer.id, tx)) !== previousHash)
      return { ok: false, refusal: "wrong-password" };
    // The earlier address may be a mistyped one, whose owner could take over the account.
    await revokeEmailLinks(tx, viewer.id, ["change-email"], { exceptEmail: email });
    const link = await createEmailLink(tx, { userId: viewer.id, email, purpose: "change-email" });
    const content = await renderChangeEmailEmail({ name: viewer.name, link });
    await enqueueEmail(tx, { to: email, userId: null, kind: "change-email", ...content });
    return { ok: true };
  });
}
