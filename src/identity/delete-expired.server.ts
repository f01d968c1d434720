import { lt } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { rateLimits } from "#platform/tables.server.ts";
import { emailLinks, sessions, verifications } from "./tables.server.ts";

/** Clears away sessions, links and counts that are over. */
export const deleteExpired: Job = {
  name: "delete-expired",
  schedule: "17 * * * *",
  async run() {
    const at = now();
    await database().delete(sessions).where(lt(sessions.expiresAt, at));
    await database().delete(emailLinks).where(lt(emailLinks.expiresAt, at));
    await database().delete(verifications).where(lt(verifications.expiresAt, at));
    await database().delete(rateLimits).where(lt(rateLimits.expire, at.getTime()));
  },
};
