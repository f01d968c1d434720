import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it } from "vitest";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { runIntegrityChecks } from "#platform/integrity/integrity.server.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { rollUpStandings } from "#standings/standings.server.ts";
import { SMALL_TABLES } from "#test/query-plans.ts";
import { seedHistory } from "#test/seeded-history.ts";
import { followMachineClock } from "#test/test-clock.ts";

// PostgreSQL's clock dates the seeded rows.
followMachineClock();

it("creates a history that satisfies every invariant, constraint and stored total", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const running = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR ?? "" });
  const admin = new URL(running.superuserUrl);
  admin.pathname = new URL(url).pathname;
  await seedHistory(admin.href, 12_000);

  const client = new Client({ connectionString: admin.href });
  await client.connect();
  try {
    expect((await runIntegrityChecks(client, { at: now() })).failures).toEqual([]);
    const count = async (table: string) =>
      Number((await client.query(`select count(*) as n from ${table}`)).rows[0].n);
    expect(await count("sales")).toBe(12_400);
    expect(await count("pg_index where not indisvalid or not indisready")).toBe(0);

    // Validates all constraints, because triggers were disabled during seeding.
    const { rows } = await client.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where contype in ('f', 'c') and connamespace = 'public'::regnamespace and conrelid <> 0`,
    );
    await client.query(
      "update pg_constraint set convalidated = false where contype in ('f', 'c') and connamespace = 'public'::regnamespace",
    );
    for (const { table, name } of rows)
      await client.query(`alter table ${table} validate constraint ${name}`);

    // Checks of recent changes must not scan whole tables. Sequential scans are disabled, because
    // in a large database the planner would avoid them too.
    await client.query("analyze");
    await client.query("set enable_seqscan = off");
    for (const [name, text] of await readIntegrityQueries(
      new Date(now().getTime() - 180_000),
      now(),
    )) {
      const { rows: steps } = await client.query<{ "QUERY PLAN": string }>(
        `explain (analyze, costs off, timing off, summary off, buffers off) ${text}`,
      );
      const plan = steps.map((step) => step["QUERY PLAN"]);
      expect.soft(findExecutedFullScans(plan), name).toEqual([]);
    }
    await client.query("reset enable_seqscan");

    // The jobs must not count the seeded sales again.
    const readSums = async () =>
      (
        await client.query(
          `select (select sum(sales) from standings where month = '0001-01-01') as standings,
             (select sum(sales) from earning_days) as days`,
        )
      ).rows[0];
    const before = await readSums();
    await rollUpStandings();
    await rollUpEarnings();
    expect(await readSums()).toEqual(before);
  } finally {
    await client.end();
  }
});

/** Returns the integrity checks of recent changes, with their time parameters inlined. */
async function readIntegrityQueries(
  since: Date,
  until: Date,
): Promise<[name: string, text: string][]> {
  const folder = "db/invariants";
  const names = (await readdir(folder)).sort();
  return await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(folder, name), "utf8");
      const instants = { $1: since, $2: until };
      return [
        name,
        text.replace(
          /\$[12]/g,
          (parameter) =>
            `'${instants[parameter as keyof typeof instants].toISOString()}'::timestamptz`,
        ),
      ];
    }),
  );
}

/** Tables that may be scanned: one row per creator and month, temporary rows, or system tables. */
const SCANNABLE_TABLES = /^(payouts|pending_registrations|pg_\w+|sql_\w+)$/;
/**
 * Indexes that a check may read completely. The seeded history has no refund, dispute, void tip, held
 * earning or settlement, so all five are empty here, and the planner's choice between empty indexes is arbitrary.
 */
const SMALL_INDEXES = [
  // The checks of refunds and disputes compare every affected purchase, however old.
  "coin_purchases_refunded_or_disputed",
  // One row per refund or dispute. purchase_adjustments_newest serves its reads by time.
  "purchase_adjustments_pkey",
  // The checks compare every held earning with the open disputes, and few are held at a time.
  "earnings_held",
  // The checks compare every sale that lacks coins.
  "earnings_lacking",
  // tips_void_settled serves the reads of void tips by the time of their result.
  "tips_void",
  // tip_settlements_newest serves the reads of settlements by time, and the primary key those of one tip.
  "tip_settlements_race",
];

/** Returns the lines of a plan that scan a whole growing table, by sequential or index scan. */
function findExecutedFullScans(plan: string[]): string[] {
  return plan.filter((line, lineIndex) => {
    const [, index, table = ""] =
      /(?:Seq Scan|Index (?:Only )?Scan (?:Backward )?using (\S+)) on (\w+)/.exec(line) ?? [];
    if (
      !table ||
      SCANNABLE_TABLES.test(table) ||
      table in SMALL_TABLES ||
      SMALL_INDEXES.includes(index ?? "")
    )
      return false;
    const isFullScan = index === undefined || !plan[lineIndex + 1]?.includes("Index Cond");
    return isFullScan && !line.includes("never executed");
  });
}
