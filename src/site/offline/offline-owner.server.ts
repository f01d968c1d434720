import type { RouterContextProvider } from "react-router";
import { sessionFingerprint } from "#accounts/accounts.server.ts";
import { isDatabaseUnavailable } from "#platform/database.server.ts";
import { NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";

/**
 * Sets the owner header, so that the service worker deletes the copies of another session. Sets
 * nothing during a database outage, because the session is unknown then.
 */
export async function setOfflineOwner(
  headers: Headers,
  context: Readonly<RouterContextProvider> | null,
): Promise<void> {
  try {
    headers.set(OWNER_HEADER, (context && (await sessionFingerprint(context))) ?? NO_OWNER);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
  }
}
