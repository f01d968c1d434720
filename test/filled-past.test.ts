import { Client } from "pg";
import { expect, it } from "vitest";
import { readBooks } from "#books/books.server.ts";
import { rollUpStandings } from "#leaderboard/leaderboard.server.ts";
import { now } from "#platform/clock.server.ts";
import { startEmbeddedPostgres } from "#platform/embedded-postgres.server.ts";
import { rollUpEarnings } from "#race-cards/race-cards.server.ts";
import { fillHistory } from "../bench/fill.ts";

it("fills a past that the books, every constraint and the kept sums agree with", async () => {
  const url = process.env.DATABASE_URL ?? "";
  const running = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR ?? "" });
  const admin = new URL(running.adminUrl);
  admin.pathname = new URL(url).pathname;
  await fillHistory(admin.href, 12_000);

  const client = new Client({ connectionString: admin.href });
  await client.connect();
  try {
    expect((await readBooks(client, { at: now() })).failures).toEqual([]);
    const count = async (from: string) =>
      Number((await client.query(`select count(*) as n from ${from}`)).rows[0].n);
    expect(await count("sales")).toBe(12_400);
    expect(await count("pg_index where not indisvalid or not indisready")).toBe(0);

    // The triggers that guard the references were asleep.
    const { rows } = await client.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where contype in ('f', 'c') and connamespace = 'public'::regnamespace and conrelid <> 0`,
    );
    await client.query(
      "update pg_constraint set convalidated = false where contype in ('f', 'c') and connamespace = 'public'::regnamespace",
    );
    for (const { table, name } of rows)
      await client.query(`alter table ${table} validate constraint ${name}`);

    // Nothing is added up a second time.
    const sums = async () =>
      (
        await client.query(
          `select (select sum(sales) from standings where month = '0001-01-01') as standings,
             (select sum(sales) from earning_days) as days`,
        )
      ).rows[0];
    const before = await sums();
    await rollUpStandings();
    await rollUpEarnings();
    expect(await sums()).toEqual(before);
  } finally {
    await client.end();
  }
});
