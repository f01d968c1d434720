import { and, desc, eq, gte } from "drizzle-orm";
import { readUsers } from "#accounts/accounts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { renderCreatorNoticeEmail } from "./creator-notice.email.tsx";
import { creatorNotices } from "./tables.server.ts";

/** A notice about a change to a creator's tips, earnings or account. */
export type CreatorNotice = {
  id: number;
  title: string;
  message: string;
  /** The admin's reason; empty if there is none. */
  reason: string;
  createdAt: Date;
};

/**
 * Notifies a creator on the dashboard and by email, in the transaction of the change. Pass `sendsEmail:
 * false` if the caller sends its own email.
 */
export async function notifyCreator(
  tx: Tx,
  notice: { creatorId: string; title: string; message: string; reason?: string },
  { sendsEmail = true }: { sendsEmail?: boolean } = {},
): Promise<void> {
  const { creatorId, title, message } = notice;
  const reason = notice.reason?.trim() ?? "";
  await tx.insert(creatorNotices).values({ creatorId, title, message, reason, createdAt: now() });
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (!sendsEmail || !user || user.isClosed) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId: creatorId,
    kind: "creator-notice",
    ...(await renderCreatorNoticeEmail({ name: user.name, title, message, reason })),
  });
}

/** Returns a creator's notices since an instant, newest first. */
export async function readCreatorNotices(
  creatorId: string,
  { since, limit = 5 }: { since: Date; limit?: number },
): Promise<CreatorNotice[]> {
  return await database()
    .select({
      id: creatorNotices.id,
      title: creatorNotices.title,
      message: creatorNotices.message,
      reason: creatorNotices.reason,
      createdAt: creatorNotices.createdAt,
    })
    .from(creatorNotices)
    .where(and(eq(creatorNotices.creatorId, creatorId), gte(creatorNotices.createdAt, since)))
    .orderBy(desc(creatorNotices.id))
    .limit(limit);
}
