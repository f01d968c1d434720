import { and, desc, eq } from "drizzle-orm";
import { creators } from "#creators/creators.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { batches, raceCards } from "../tables.server.ts";
import { type BatchNotice, createBatchNotice } from "./batch-notice.email.tsx";

/** Enqueues the operator's email about published races. Contains no selections. */
export async function enqueueBatchNotice(tx: Tx, notice: BatchNotice): Promise<void> {
  await enqueueEmail(tx, {
    to: env().mail.notificationTo,
    kind: "tip-notice",
    ...(await createBatchNotice(notice)),
  });
}

export type ResendBatchNoticeResult =
  | { ok: true }
  | { ok: false; refusal: "no-such-batch" | "too-often" };

/** Limits how often the notice of one batch is resent. Publishing sends the first one. */
const RESEND_LIMIT = { max: 1, seconds: 60 * 60 };

/**
 * Resends the operator's notice of a creator's own newest batch for a venue and day. Its content
 * comes from the database, never from the request.
 */
export async function resendBatchNotice(
  creatorId: string,
  { venueName, raceDate }: { venueName: string; raceDate: string },
): Promise<ResendBatchNoticeResult> {
  const searchedName = venueName.trim().toLowerCase();
  const venue = (await listVenues({ includesInactive: true })).find(
    (each) => each.name.toLowerCase() === searchedName,
  );
  if (!venue) return { ok: false, refusal: "no-such-batch" };
  const [batch] = await database()
    .select({
      id: batches.id,
      raceDate: raceCards.raceDate,
      raceNumbers: batches.raceNumbers,
      publishedAt: batches.createdAt,
      creatorName: creators.displayName,
    })
    .from(batches)
    .innerJoin(raceCards, eq(raceCards.id, batches.raceCardId))
    .innerJoin(creators, eq(creators.userId, batches.creatorId))
    .where(
      and(
        eq(batches.creatorId, creatorId),
        eq(raceCards.raceDate, raceDate),
        eq(raceCards.venueId, venue.id),
      ),
    )
    .orderBy(desc(batches.createdAt))
    .limit(1);
  if (!batch) return { ok: false, refusal: "no-such-batch" };
  // A batch never changes, so reading it needs no transaction. The rate limit uses a connection of its own,
  // so it is counted before the transaction of the notice takes one.
  if (!(await isWithinLimit(`notify-again:${batch.id}`, RESEND_LIMIT)))
    return { ok: false, refusal: "too-often" };
  await transaction((tx) => enqueueBatchNotice(tx, { ...batch, venueName: venue.name }));
  return { ok: true };
}
