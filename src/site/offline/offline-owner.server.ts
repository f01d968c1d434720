import type { RouterContextProvider } from "react-router";
import { sessionFingerprint } from "#identity/identity.server.ts";
import { isDatabaseAway } from "#platform/database.server.ts";
import { NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";

/**
 * Tells the browser whose pages it may keep for times without a connection, so that it forgets those of
 * anybody else. Says nothing while our records are away: nobody has left by that.
 */
export async function nameOfflineOwner(
  headers: Headers,
  context: Readonly<RouterContextProvider> | null,
): Promise<void> {
  try {
    headers.set(OWNER_HEADER, (context && (await sessionFingerprint(context))) ?? NO_OWNER);
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
  }
}
