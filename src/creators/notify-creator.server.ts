import { and, desc, eq, gte } from "drizzle-orm";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { creatorNoticeMail } from "./creator-notice.email.tsx";
import { creatorNotices } from "./tables.server.ts";

/** Something that was done to a creator's tips, earnings or account. */
export type CreatorNotice = {
  id: number;
  title: string;
  message: string;
  /** As the operator typed it; empty where there is none. */
  reason: string;
  createdAt: Date;
};

/**
 * Tells a creator what was done, within the transaction that does it: on the dashboard and by e-mail. The
 * e-mail is left out where the caller sends one of its own.
 */
export async function notifyCreator(
  tx: Tx,
  notice: { creatorId: string; title: string; message: string; reason?: string },
  { byMail = true }: { byMail?: boolean } = {},
): Promise<void> {
  const { creatorId, title, message } = notice;
  const reason = notice.reason?.trim() ?? "";
  await tx.insert(creatorNotices).values({ creatorId, title, message, reason, createdAt: now() });
  const user = (await readUsers([creatorId], tx)).get(creatorId);
  if (!byMail || !user || user.isClosed) return;
  await enqueueMail(tx, {
    to: user.email,
    userId: creatorId,
    kind: "creator-notice",
    ...(await creatorNoticeMail({ name: user.name, title, message, reason })),
  });
}

/** What a creator was told since an instant, newest first. */
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
