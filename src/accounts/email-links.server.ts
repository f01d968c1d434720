import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { emailLinks } from "./tables.server.ts";
import { lockUser } from "./users.server.ts";

export type EmailLink = typeof emailLinks.$inferSelect;
type Purpose = EmailLink["purpose"];

const HOUR_MS = 60 * 60 * 1000;
const VALID_HOURS: Record<Purpose, number> = {
  "confirm-email": 24,
  "change-email": 24,
  disown: 7 * 24,
  "reset-password": 1,
  "set-password": 7 * 24,
};
const PATHS: Record<Purpose, string> = {
  "confirm-email": "/auth-callback",
  "change-email": "/auth-callback",
  disown: "/not-my-account",
  "reset-password": "/reset-password",
  "set-password": "/reset-password",
};

/** Creates a link for an email and returns its URL. Only the hash of the token is stored. */
export async function createEmailLink(
  tx: Tx,
  link: { userId: string; email: string; purpose: Purpose; browserHash?: string | null },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await tx.insert(emailLinks).values({
    tokenHash: hashToken(token),
    userId: link.userId,
    email: link.email,
    purpose: link.purpose,
    browserHash: link.browserHash ?? null,
    createdAt: now(),
    expiresAt: new Date(now().getTime() + VALID_HOURS[link.purpose] * HOUR_MS),
  });
  return `${env().appUrl}${PATHS[link.purpose]}?token=${token}`;
}

/**
 * Returns the valid link of a token for one of these purposes, used or not; null if there is none.
 */
export async function findEmailLink(
  token: string,
  purposes: Purpose[],
  tx?: Tx,
): Promise<EmailLink | null> {
  const [link] = await (tx ?? database()).select().from(emailLinks).where(isValid(token, purposes));
  return link ?? null;
}

/**
 * Marks a link as used in the caller's transaction and locks its user. Returns null if the link is
 * used, expired or unknown.
 */
export async function consumeEmailLink(
  tx: Tx,
  token: string,
  purposes: Purpose[],
): Promise<EmailLink | null> {
  const candidate = await findEmailLink(token, purposes, tx);
  if (!candidate) return null;
  await lockUser(tx, candidate.userId);
  const [link] = await tx
    .update(emailLinks)
    .set({ usedAt: now() })
    .where(and(isValid(token, purposes), isNull(emailLinks.usedAt)))
    .returning();
  return link ?? null;
}

/** Revokes the unused links of a user for these purposes, except those sent to `exceptEmail`. */
export async function revokeEmailLinks(
  tx: Tx,
  userId: string,
  purposes: Purpose[],
  { exceptEmail }: { exceptEmail?: string } = {},
): Promise<void> {
  await tx
    .update(emailLinks)
    .set({ usedAt: now() })
    .where(
      and(
        eq(emailLinks.userId, userId),
        inArray(emailLinks.purpose, purposes),
        isNull(emailLinks.usedAt),
        exceptEmail === undefined ? undefined : ne(emailLinks.email, exceptEmail),
      ),
    );
}

/** Returns the hash of the browser that registered, from the newest confirmation link, or null. */
export async function findRegistrationBrowser(tx: Tx, userId: string): Promise<string | null> {
  const [link] = await tx
    .select({ browserHash: emailLinks.browserHash })
    .from(emailLinks)
    .where(and(eq(emailLinks.userId, userId), eq(emailLinks.purpose, "confirm-email")))
    .orderBy(desc(emailLinks.createdAt))
    .limit(1);
  return link?.browserHash ?? null;
}

function isValid(token: string, purposes: Purpose[]) {
  return and(
    eq(emailLinks.tokenHash, hashToken(token)),
    inArray(emailLinks.purpose, purposes),
    gt(emailLinks.expiresAt, now()),
  );
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
