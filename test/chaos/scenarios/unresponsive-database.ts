import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "#test/concurrency.ts";
import { openTcpProxy } from "#test/tcp-proxy.ts";
import { AppServer } from "../app-server.ts";
import { Load, type RecordedResponse } from "../load.ts";
import { expectThat, type Scenario } from "../scenario.ts";

const STALL_MS = 9_000;
/** Time until a 503: detecting an unresponsive connection takes a few seconds. */
const MAX_REFUSAL_MS = { quick: 15_000, full: 6_000 };
const MAX_RECOVERY_MS = { quick: 30_000, full: 5_000 };

/** The application name of the connection that monitors the others. */
const MONITOR_APPLICATION = "furlong-listen";

/**
 * The database accepts connections and queries but never responds; later it responds on new
 * connections only. Requests get 503 within seconds, and succeed again as soon as new connections
 * work.
 */
export const unresponsiveDatabase: Scenario = {
  name: "unresponsive-database",
  async injectFault({ db, database }) {
    // Makes every connection look active to the monitoring connection, which keeps working.
    await db.query(
      `create view public.pg_stat_activity as select pid, 'active' as state, '' as wait_event
       from pg_catalog.pg_stat_activity`,
    );
    await db.query("grant select on public.pg_stat_activity to public");
    await db.query(`alter database ${database.name} set search_path = public, pg_catalog`);
  },
  async run(environment) {
    const { isFaultInjected, database, processEnv, quick } = environment;
    const url = new URL(database.url);
    const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const web = await AppServer.start({ ...processEnv, DATABASE_URL: url.href });
    const problems: string[] = [];
    try {
      const load = await Load.start(environment, { origin: web.origin, payments: 5 });
      await waitUntil(() => load.responses.length > 100, 20_000);
      const stalledAt = performance.now();
      proxy.stall(isFaultInjected ? MONITOR_APPLICATION : undefined);
      await sleep(STALL_MS);
      proxy.forwardNewConnections();
      const restoredAt = performance.now();
      const maxRecoveryMs = quick ? MAX_RECOVERY_MS.quick : MAX_RECOVERY_MS.full;
      const hasRecovered = await waitUntil(
        async () => (await load.unlockNext()).status === 200,
        maxRecoveryMs,
      );
      const recoveryMs = Math.round(performance.now() - restoredAt);
      expectThat(problems, hasRecovered, `no race card could be unlocked for ${maxRecoveryMs} ms`);
      await waitUntil(() => countUnlocksSince(load, restoredAt) > 100, maxRecoveryMs);
      const partlyStalledAt = performance.now();
      proxy.stall(MONITOR_APPLICATION);
      proxy.forwardNewConnections();
      await sleep(STALL_MS);
      await load.stop();
      problems.push(
        ...load.findUnexpectedResponses(quick ? MAX_REFUSAL_MS.quick : MAX_REFUSAL_MS.full),
      );
      problems.push(...(await load.findLostWrites()));
      expectThat(problems, web.exitedCount === 0, `${web.exitedCount} web processes exited`);
      const refusals = findRefusals(load, stalledAt, restoredAt);
      const partialRefusals = findRefusals(load, partlyStalledAt, Number.POSITIVE_INFINITY);
      expectThat(
        problems,
        refusals.length > 0,
        "no request was refused while the database was unresponsive",
      );
      expectThat(
        problems,
        partialRefusals.length > 0,
        "no request was refused on connections that stayed unresponsive",
      );
      return {
        description: `a database that accepts and never responds for ${STALL_MS / 1000} s under load; then only existing connections are unresponsive`,
        measurement: `${refusals.length} × 503 after at most ${findMaxMs(refusals)} ms, first unlock ${recoveryMs} ms after recovery; ${partialRefusals.length} × 503 after at most ${findMaxMs(partialRefusals)} ms`,
        problems,
      };
    } finally {
      await proxy.close();
      await web.stop();
    }
  },
};

function countUnlocksSince(load: Load, since: number): number {
  return load.responses.filter(({ receivedAt, status }) => status === 200 && receivedAt > since)
    .length;
}

function findRefusals(load: Load, start: number, end: number): RecordedResponse[] {
  return load.responses.filter(
    ({ status, receivedAt, ms }) => status === 503 && receivedAt > start && receivedAt - ms < end,
  );
}

function findMaxMs(responses: RecordedResponse[]): number {
  return Math.round(Math.max(0, ...responses.map(({ ms }) => ms)));
}
