import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Sale } from "#test/bench-data.ts";
import type { Measurement } from "./measure.ts";

const run = promisify(execFile);

/** Statements that unlock the race card of one pair, prepared, by name. */
const STATEMENTS = {
  product: "(unlock_race_card(p.buyer_id, p.card_id, null, now())).outcome",
  reference: "minimal.unlock(p.buyer_id, p.card_id, now())",
  productWithTips: `u.outcome, case when u.outcome in ('opened', 'already') then
      opened_tips(p.card_id, coalesce((select s.created_at from sales s where s.id = u.sale), now())) end`,
  referenceWithTips:
    "u.outcome, case when u.outcome in ('opened', 'already') then minimal.tips_of(p.card_id) end",
} as const;
const FROM: Partial<Record<UnlockStatement, string>> = {
  productWithTips: ", lateral unlock_race_card(p.buyer_id, p.card_id, null, now()) u",
  referenceWithTips:
    ", lateral (select minimal.unlock(p.buyer_id, p.card_id, now()) as outcome offset 0) u",
};

export type UnlockStatement = keyof typeof STATEMENTS;

function buildSql(statement: UnlockStatement): string {
  return `select ${STATEMENTS[statement]} from minimal.pairs p${FROM[statement] ?? ""}
    where p.n = (select nextval('minimal.next_pair'))`;
}

const HAS_PGBENCH = spawnSync("pgbench", ["--version"]).status === 0;
/** Describes the client that runs statements in the database, for the report. */
export const DATABASE_CLIENT = HAS_PGBENCH
  ? "pgbench, prepared statements"
  : "a Node client, which limits both sides (apt-get install postgresql-contrib for pgbench)";

/** More pairs than one round can use. */
const PAIRS_PER_SECOND = 8_000;

/** Creates the reference for the unlock benchmark in the application's database. */
export async function createMinimalUnlock(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(await readFile("bench/minimal-unlock.sql", "utf8"));
  });
}

/** Unlocks race cards in the database on several connections. Each sale has a different buyer and race card. */
export async function unlockInDatabase(
  url: string,
  next: () => Sale,
  statement: UnlockStatement,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Measurement> {
  const pairs = Array.from({ length: PAIRS_PER_SECOND * seconds }, next);
  await withClient(url, async (client) => {
    await client.query("truncate minimal.pairs");
    await client.query(
      `insert into minimal.pairs select row_number() over (), b, c
       from unnest($1::uuid[], $2::uuid[]) pair (b, c)`,
      [pairs.map((pair) => pair.buyer.id), pairs.map((pair) => pair.raceCardId)],
    );
    await client.query("select setval('minimal.next_pair', 1, false); analyze minimal.pairs");
  });
  const before = await countSales(url, statement);
  const startedAt = performance.now();
  const latencies = HAS_PGBENCH
    ? await runPgbench(url, buildSql(statement), { clients, seconds })
    : await runNodeClients(url, buildSql(statement), { clients, seconds });
  const elapsed = HAS_PGBENCH ? seconds : (performance.now() - startedAt) / 1000;
  const sold = (await countSales(url, statement)) - before;
  if (sold !== latencies.length)
    throw new Error(`${latencies.length} unlocks created ${sold} sales, so some were refused`);
  latencies.sort((a, b) => a - b);
  const percentile = (fraction: number) => latencies[Math.floor(latencies.length * fraction)] ?? 0;
  return { perSecond: latencies.length / elapsed, p50: percentile(0.5), p99: percentile(0.99) };
}

/** Returns the latency of each statement in milliseconds. */
async function runPgbench(
  url: string,
  sql: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "furlong-pgbench-"));
  try {
    const script = join(folder, "unlock.pgbench");
    await writeFile(script, `${sql.replaceAll("\n", " ")};\n`);
    await run("pgbench", [
      ...["--no-vacuum", "--protocol=prepared", `--client=${clients}`, "--jobs=2"],
      ...[`--time=${seconds}`, `--file=${script}`, "--log", `--log-prefix=${folder}/log`, url],
    ]);
    const logs = (await readdir(folder)).filter((name) => name.startsWith("log"));
    const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), "utf8")));
    // Each line: client, transaction number, latency in microseconds, and more.
    return texts
      .flatMap((text) => text.trim().split("\n"))
      .map((line) => Number(line.split(" ")[2]) / 1000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runNodeClients(
  url: string,
  text: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number[]> {
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, () =>
      withClient(url, async (client) => {
        while (performance.now() < endsAt) {
          const startedAt = performance.now();
          await client.query({ name: "unlock", text });
          latencies.push(performance.now() - startedAt);
        }
      }),
    ),
  );
  return latencies;
}

async function countSales(url: string, statement: UnlockStatement): Promise<number> {
  const table = statement.startsWith("product") ? "sales" : "minimal.sales";
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ sales: number }>(
      `select count(*)::int as sales from ${table}`,
    );
    return rows[0]?.sales ?? 0;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
