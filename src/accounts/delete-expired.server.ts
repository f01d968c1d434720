import { and, isNotNull, lt, or } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { rateLimits } from "#platform/tables.server.ts";
import { emailLinks, sessions, verifications } from "./tables.server.ts";

/** Deletes expired sessions, email links and rate limits. */
export const deleteExpired: Job = {
  name: "delete-expired-sessions",
  schedule: "17 * * * *",
  async run() {
    const currentTime = now();
    const steps = {
      sessions: () => database().delete(sessions).where(lt(sessions.expiresAt, currentTime)),
      "email links": () =>
        database().delete(emailLinks).where(lt(emailLinks.expiresAt, currentTime)),
      verifications: () =>
        database().delete(verifications).where(lt(verifications.expiresAt, currentTime)),
      "rate limits": () =>
        database().delete(rateLimits).where(lt(rateLimits.expire, currentTime.getTime())),
    };
    await runEach(
      deleteExpired.name,
      Object.entries(steps),
      ([name]) => name,
      async ([, deleteRows]) => await deleteRows(),
    );
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
