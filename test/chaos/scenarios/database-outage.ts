import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { waitUntil } from "#test/concurrency.ts";
import { connectClient, createPool } from "../database-server.ts";
import { Load } from "../load.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { percentile } from "../statistics.ts";

const ROUNDS_PER_OUTAGE = 20;
/** The quick run shares its machine with other work. */
const MAX_REFUSAL_MS = { quick: 10_000, full: 2_000 };
const MAX_RECOVERY_MS = { quick: 30_000, full: 5_000 };

type Outage = (environment: Environment) => Promise<void>;

const OUTAGES: Record<string, Outage> = {
  async killed({ databaseServer, random }) {
    databaseServer.kill();
    await sleep(random.between(0, 1_500));
    await databaseServer.start();
  },
  async stopped({ databaseServer, random }) {
    await databaseServer.stop();
    await sleep(random.between(1_000, 3_000));
    await databaseServer.start();
  },
  async restarted({ databaseServer }) {
    await databaseServer.stop();
    await databaseServer.start();
  },
  async "sessions ended"({ databaseServer, database }) {
    const db = await connectClient(databaseServer.getSuperuserUrl(database.name));
    await db.query(TERMINATE_SESSIONS);
    await db.end();
  },
  /** Takes every connection of the server for three seconds. */
  async "connections exhausted"({ databaseServer, database }) {
    const db = await connectClient(databaseServer.getSuperuserUrl(database.name));
    const clients: Client[] = [];
    const until = performance.now() + 3_000;
    while (performance.now() < until) {
      await db.query(TERMINATE_SESSIONS);
      await Promise.all(Array.from({ length: 50 }, () => occupyConnection(database.url, clients)));
    }
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
    await db.end();
  },
};

const TERMINATE_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'furlong%'`;

async function occupyConnection(url: string, clients: Client[]): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "connection-exhaustion" });
  client.on("error", () => {});
  await client.connect().then(
    () => clients.push(client),
    () => {},
  );
}

/**
 * The database becomes unavailable in several ways under load. Requests get 503 with Retry-After,
 * no web process exits, no acknowledged write is lost, and the application recovers by itself.
 */
export const databaseOutage: Scenario = {
  name: "database-outage",
  isExclusive: true,
  async injectFault({ db, database }) {
    // The server acknowledges commits before they are durable.
    await db.query(`alter database ${database.name} set synchronous_commit = off`);
    await db.query("alter system set wal_writer_delay = '10s'");
    await db.query("alter system set wal_writer_flush_after = '1GB'");
    await db.query("select pg_reload_conf()");
    await db.query(TERMINATE_SESSIONS);
  },
  async run(environment) {
    const { quick, databaseServer, database, web, random } = environment;
    const maxRefusalMs = quick ? MAX_REFUSAL_MS.quick : MAX_REFUSAL_MS.full;
    const maxRecoveryMs = quick ? MAX_RECOVERY_MS.quick : MAX_RECOVERY_MS.full;
    const rounds = quick
      ? ["killed", "stopped", "connections exhausted"]
      : random.shuffle(
          Object.keys(OUTAGES).flatMap((name) =>
            Array.from({ length: ROUNDS_PER_OUTAGE }, () => name),
          ),
        );
    const exitedBefore = web.exitedCount;
    const problems: string[] = [];
    const recoveries: number[] = [];
    const refusals: number[] = [];
    let responses = 0;
    for (const name of rounds) {
      const load = await Load.start(environment, { payments: quick ? 10 : 20 });
      await sleep(random.between(300, 1_000));
      await OUTAGES[name]?.(environment);
      const restoredAt = performance.now();
      const hasRecovered = await waitUntil(
        async () => (await load.unlockNext()).status === 200,
        maxRecoveryMs,
      );
      recoveries.push(performance.now() - restoredAt);
      expectThat(
        problems,
        hasRecovered,
        `${name}: no race card could be unlocked for ${maxRecoveryMs} ms`,
      );
      await load.stop();
      await environment.db.end().catch(() => {});
      environment.db = createPool(databaseServer.getSuperuserUrl(database.name));
      responses += load.responses.length;
      refusals.push(...load.responses.filter(({ status }) => status === 503).map(({ ms }) => ms));
      const found = [
        ...load.findUnexpectedResponses(maxRefusalMs),
        ...(await load.findLostWrites()),
      ];
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
    expectThat(problems, refusals.length > 0, "no request was refused: there was no outage");
    const exited = web.exitedCount - exitedBefore;
    expectThat(problems, exited === 0, `${exited} web processes exited`);
    return {
      description: `the database ${quick ? rounds.join(", ") : `${Object.keys(OUTAGES).join(", ")}, ${ROUNDS_PER_OUTAGE} × each,`} under load`,
      measurement: `${responses} responses, ${refusals.length} × 503 after at most ${Math.round(Math.max(0, ...refusals))} ms; first unlock ${Math.round(percentile(recoveries, 0.5))} ms after recovery, maximum ${Math.round(Math.max(...recoveries))} ms`,
      problems: problems.slice(0, 20),
    };
  },
};
