import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorCode, IS_READ_ONLY, isDatabaseUnavailable } from "#platform/database.server.ts";

const CONNECT_WITHIN_MS = 10_000;
const TRY_AGAIN_MS = 500;
const TELL_AGAIN_MS = 30_000;

type Options = {
  giveUpAfterMs?: number;
  /** For what only reads: a standby will do. */
  mayBeReadOnly?: boolean;
};

/**
 * Waits until a database takes connections and writes, and says what it waits for at the beginning and
 * every thirty seconds. Throws at once where waiting does not help (a wrong password, no such database),
 * and after `giveUpAfterMs`.
 */
export async function waitForDatabase(
  url: string,
  tell: (line: string) => void,
  { giveUpAfterMs = Number.POSITIVE_INFINITY, mayBeReadOnly = false }: Options = {},
): Promise<void> {
  const beganAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const problem = await problemOf(url, mayBeReadOnly);
    if (problem === null) return;
    const at = performance.now();
    const { host } = new URL(url);
    if (at - beganAt >= giveUpAfterMs)
      throw new Error(`The database at ${host} is not available (${problem}).`);
    if (at - toldAt >= TELL_AGAIN_MS) {
      tell(`Waiting for the database at ${host} (${problem})`);
      toldAt = at;
    }
    await sleep(TRY_AGAIN_MS);
  }
}

/** Why a database cannot be used yet, or null where it can. */
async function problemOf(url: string, mayBeReadOnly: boolean): Promise<string | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "furlong-wait",
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  client.on("error", () => {}); // a connection that breaks fails its query, which is enough
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
    return rows[0]?.isReadOnly && !mayBeReadOnly ? "it is read-only" : null;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return errorCode(error) ?? "no answer";
  } finally {
    await client.end().catch(() => {});
  }
}
