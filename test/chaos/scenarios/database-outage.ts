import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { comesTrue } from "#test/concurrency.ts";
import { connect, connections } from "../database-server.ts";
import { Load } from "../load.ts";
import { type Arena, expectThat, type Trial } from "../scenario.ts";
import { percentile } from "../statistics.ts";

const ROUNDS_EACH = 20;
/** The quick run shares its machine with whatever else is going on. */
const TELLS_WITHIN_MS = { quick: 10_000, full: 2_000 };
const BACK_WITHIN_MS = { quick: 30_000, full: 5_000 };

type Outage = (arena: Arena) => Promise<void>;

const OUTAGES: Record<string, Outage> = {
  async killed({ records, dice }) {
    records.kill();
    await sleep(dice.between(0, 1_500));
    await records.start();
  },
  async stopped({ records, dice }) {
    await records.stop();
    await sleep(dice.between(1_000, 3_000));
    await records.start();
  },
  async restarted({ records }) {
    await records.stop();
    await records.start();
  },
  async "sessions ended"({ records, database }) {
    const db = await connect(records.adminUrlOf(database.name));
    await db.query(ALL_SESSIONS_END);
    await db.end();
  },
  /** Somebody takes every connection there is, and lets go of them again. */
  async "connections exhausted"({ records, database }) {
    const db = await connect(records.adminUrlOf(database.name));
    const taken: Client[] = [];
    const until = performance.now() + 3_000;
    while (performance.now() < until) {
      await db.query(ALL_SESSIONS_END);
      await Promise.all(Array.from({ length: 50 }, () => take(database.url, taken)));
    }
    await Promise.all(taken.map((client) => client.end().catch(() => {})));
    await db.end();
  },
};

const ALL_SESSIONS_END = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'furlong%'`;

async function take(url: string, taken: Client[]): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "greedy" });
  client.on("error", () => {});
  await client.connect().then(
    () => taken.push(client),
    () => {},
  );
}

/**
 * The database goes and comes back in every way it can while people are on the site: they are told to
 * come later, no web process ends, nothing that was acknowledged is lost, and it goes on by itself.
 */
export const databaseAway: Trial = {
  name: "database-away",
  alone: true,
  async breakIt({ db, database }) {
    // It says that a write is kept before it is.
    await db.query(`alter database ${database.name} set synchronous_commit = off`);
    await db.query("alter system set wal_writer_delay = '10s'");
    await db.query("alter system set wal_writer_flush_after = '1GB'");
    await db.query("select pg_reload_conf()");
    await db.query(ALL_SESSIONS_END);
  },
  async run(arena) {
    const { quick, records, database, web, dice } = arena;
    const tellsWithin = quick ? TELLS_WITHIN_MS.quick : TELLS_WITHIN_MS.full;
    const backWithin = quick ? BACK_WITHIN_MS.quick : BACK_WITHIN_MS.full;
    const rounds = quick
      ? ["killed", "stopped", "connections exhausted"]
      : dice.shuffle(
          Object.keys(OUTAGES).flatMap((name) => Array.from({ length: ROUNDS_EACH }, () => name)),
        );
    const endedBefore = web.ended;
    const problems: string[] = [];
    const returns: number[] = [];
    const refusals: number[] = [];
    let answers = 0;
    for (const name of rounds) {
      const load = await Load.begin(arena, { payments: quick ? 10 : 20 });
      await sleep(dice.between(300, 1_000));
      await OUTAGES[name]?.(arena);
      const backAt = performance.now();
      const isBack = await comesTrue(async () => (await load.open()).status === 200, backWithin);
      returns.push(performance.now() - backAt);
      expectThat(problems, isBack, `${name}: no card could be opened for ${backWithin} ms`);
      await load.stop();
      await arena.db.end().catch(() => {});
      arena.db = connections(records.adminUrlOf(database.name));
      answers += load.told.length;
      refusals.push(...load.told.filter(({ status }) => status === 503).map(({ ms }) => ms));
      const found = [...load.faults(tellsWithin), ...(await load.lost())];
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
    expectThat(problems, refusals.length > 0, "nobody was ever refused: it was never away");
    const ended = web.ended - endedBefore;
    expectThat(problems, ended === 0, `${ended} web processes ended`);
    return {
      did: `the database ${quick ? rounds.join(", ") : `${Object.keys(OUTAGES).join(", ")}, ${ROUNDS_EACH} × each,`} under load`,
      figure: `${answers} answers, ${refusals.length} × 503 after at most ${Math.round(Math.max(0, ...refusals))} ms; first card ${Math.round(percentile(returns, 0.5))} ms after its return, at worst ${Math.round(Math.max(...returns))} ms`,
      problems: problems.slice(0, 20),
    };
  },
};
