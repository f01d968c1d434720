import { and, isNotNull, lt, or } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { rateLimits } from "#platform/tables.server.ts";
import { emailLinks, sessions, verifications } from "./tables.server.ts";

/** Deletes expired sessions, email links and rate limits. */
export const deleteExpired: Job = {
  name: "delete-expired-sessions",
  schedule: "17 * * * *",
  async run() {
    const currentTime = now();
    await database().delete(sessions).where(lt(sessions.expiresAt, currentTime));
    await database().delete(emailLinks).where(lt(emailLinks.expiresAt, currentTime));
    await database().delete(verifications).where(lt(verifications.expiresAt, currentTime));
    await database().delete(rateLimits).where(lt(rateLimits.expire, currentTime.getTime()));
  },
};

/**
 * Clears the IP address and user agent of sessions created before an instant. Sessions in use are
 * extended indefinitely, so these would otherwise be stored without limit.
 */
export async function anonymiseOldSessions(before: Date): Promise<void> {
  await database()
    .update(sessions)
    .set({ ipAddress: null, userAgent: null })
    .where(
      and(
        lt(sessions.createdAt, before),
        or(isNotNull(sessions.ipAddress), isNotNull(sessions.userAgent)),
      ),
    );
}
