import { and, eq } from "drizzle-orm";
import { formatCardPrice } from "#domain/coin-packs.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction, violatedConstraint } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { createKnownBrowserCookie, isRegistrationBrowser } from "../browser-cookies.server.ts";
import {
  consumeEmailLink,
  type EmailLink,
  findEmailLink,
  revokeEmailLinks,
} from "../email-links.server.ts";
import { renderEmailChangedEmail } from "../profile/change-email.email.tsx";
import { readSessionToken } from "../session-token.server.ts";
import { startSession } from "../sessions.server.ts";
import { users } from "../tables.server.ts";
import { readTwoStep } from "../two-step/recovery-codes.server.ts";
import { findViewerById, type Viewer } from "../viewer.server.ts";
import { renderWelcomeEmail } from "./welcome.email.tsx";

const PURPOSES = ["confirm-email", "change-email"] satisfies EmailLink["purpose"][];

export type ConfirmEmailResult =
  | {
      ok: true;
      purpose: "confirm-email" | "change-email";
      name: string;
      /** Set if this is the browser that registered: it is now signed in. */
      session: { viewer: Viewer; headers: Headers } | null;
    }
  | { ok: false; refusal: "invalid-link" | "already-confirmed" | "email-taken" };

/**
 * Confirms the address a link was sent to, once: the address of a new account or the new address of
 * an existing one. Signs in only the browser that registered.
 */
export async function confirmEmail(token: string, request: Request): Promise<ConfirmEmailResult> {
  const confirmed = await transaction(async (tx) => {
    const link = await consumeEmailLink(tx, token, PURPOSES);
    if (!link) return null;
    const isNew = link.purpose === "confirm-email";
    const name = isNew ? await confirmNewAccount(tx, link) : await applyEmailChange(tx, link);
    if (name === null) return null;
    return { link, name, purpose: isNew ? ("confirm-email" as const) : ("change-email" as const) };
  }).catch((error) => {
    if (violatedConstraint(error) === "users_email_key") return "email-taken" as const;
    throw error;
  });
  if (confirmed === "email-taken") return { ok: false, refusal: "email-taken" };
  if (!confirmed) {
    const usedLink = await findEmailLink(token, PURPOSES);
    const isConfirmed = usedLink !== null && (await hasConfirmedAddress(usedLink));
    return { ok: false, refusal: isConfirmed ? "already-confirmed" : "invalid-link" };
  }

  const { link, purpose, name } = confirmed;
  // With two-step login, an email link alone does not start a session.
  if (!isRegistrationBrowser(request, link.browserHash) || (await readTwoStep(link.userId)))
    return { ok: true, purpose, name, session: null };
  const headers = await startSession(link.userId, { currentToken: readSessionToken(request) });
  headers.append("Set-Cookie", createKnownBrowserCookie(request, link.email));
  const viewer = await findViewerById(link.userId);
  return { ok: true, purpose, name, session: viewer && { viewer, headers } };
}

/** Returns the state of an email link for the page it opens. Changes nothing. */
export async function readConfirmation(token: string, request: Request) {
  const link = await findEmailLink(token, PURPOSES);
  return {
    state: link ? await readLinkState(link) : ("invalid-link" as const),
    isRegistrationBrowser: isRegistrationBrowser(request, link?.browserHash ?? null),
  };
}

async function confirmNewAccount(tx: Tx, { userId, email }: EmailLink): Promise<string | null> {
  const [user] = await tx
    .update(users)
    .set({ emailVerified: true, updatedAt: now() })
    .where(and(eq(users.id, userId), eq(users.email, email), eq(users.emailVerified, false)))
    .returning({ name: users.name });
  if (!user) return null;
  await revokeEmailLinks(tx, userId, ["confirm-email", "disown"]);
  const content = await renderWelcomeEmail({
    name: user.name,
    cardPrice: formatCardPrice(await readPrices(now(), tx)),
    homeUrl: env().appUrl,
  });
  await enqueueEmail(tx, { to: email, userId, kind: "welcome", ...content });
  return user.name;
}

async function applyEmailChange(tx: Tx, { userId, email }: EmailLink): Promise<string | null> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (!user || user.closedAt) return null;
  await tx
    .update(users)
    .set({ email, emailVerified: true, updatedAt: now() })
    .where(eq(users.id, userId));
  await revokeEmailLinks(tx, userId, ["confirm-email", "change-email", "disown", "reset-password"]);
  const content = await renderEmailChangedEmail({
    name: user.name,
    supportAddress: env().mail.supportTo,
  });
  await enqueueEmail(tx, { to: user.email, userId, kind: "email-changed", ...content });
  return user.name;
}

async function readLinkState(link: EmailLink) {
  if (!link.usedAt) return "open" as const;
  return (await hasConfirmedAddress(link))
    ? ("already-confirmed" as const)
    : ("invalid-link" as const);
}

/**
 * Whether the address of a link is the confirmed address of its account. A used link then shows as confirmed rather
 * than as an error, but not one that was revoked.
 */
async function hasConfirmedAddress({ userId, email }: EmailLink): Promise<boolean> {
  const [user] = await database()
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), eq(users.emailVerified, true)));
  return user !== undefined;
}
