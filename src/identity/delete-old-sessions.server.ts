import { and, isNotNull, lt, or } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { sessions } from "./tables.server.ts";

/**
 * Takes out of sessions begun before an instant from where and with what they were begun. A session in
 * use is prolonged for ever; what has run out is deleted long before.
 */
export async function deleteOldSessions(before: Date): Promise<void> {
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
