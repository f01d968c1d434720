import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.server.ts";
import { createSender, sendAsGuest } from "#test/app.ts";
import { fillBenchData } from "#test/bench-data.ts";
import { makeAdmin } from "#test/factories.ts";
import {
  findFullTableScans,
  logPlans,
  MEASURED_REQUESTS,
  readLoggedPlans,
} from "#test/query-plans.ts";
import { ACCOUNTS, seedHistory } from "#test/seeded-history.ts";
import { followMachineClock } from "#test/test-clock.ts";

/** Runs at most once a minute in each process. */
const COUNT_OF_USERS =
  /^select count\(\*\) as count from "users" where "users"."closed_at" is null/;

let running: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let admin: URL;
let data: Awaited<ReturnType<typeof fillBenchData>>;

beforeAll(async () => {
  followMachineClock();
  running = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR ?? "" });
  admin = new URL(running.superuserUrl);
  admin.pathname = new URL(process.env.DATABASE_URL ?? "").pathname;
  data = await fillBenchData(admin.href, "secret", { buyers: 2, raceCards: 20, creators: 10 });
  await seedHistory(admin.href, 10_000);
});

describe("the functions that follow a change of a race card", () => {
  it.each([
    ["refresh_offers", "select refresh_offers(array[$1::uuid])"],
    [
      "update_for_off_times",
      `select update_for_off_times(array_agg(r.race_day_id), array_agg(r.race_number))
       from race_cards c join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date
       join races r on r.race_day_id = d.id where c.id = $1 having count(*) > 0`,
    ],
  ])("%s reads no other race cards", async (_, statement) => {
    await withClient(admin.href, async (client) => {
      await client.query("begin");
      // The plan of a connection that has called the function a few times.
      await client.query("set local plan_cache_mode = force_generic_plan");
      // As in a large database, where the planner avoids sequential scans.
      await client.query("set local enable_seqscan = off");
      const card = await client.query<{ id: string }>(
        `select c.id from race_cards c
         join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date limit 1`,
      );
      const { rowCount } = await client.query(statement, [card.rows[0]?.id]);
      expect(rowCount).toBe(1);
      const { rows } = await client.query<{ table: string; rows: number }>(
        `select relname as table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
         from pg_stat_xact_user_tables where relname in ('race_cards', 'race_card_offers', 'tips')`,
      );
      await client.query("rollback");
      expect(rows).toHaveLength(3);
      // The database has more than 500 race cards with offers, and 4,000 tips.
      for (const { table, rows: read } of rows) expect(read, table).toBeLessThan(200);
    });
  });
});

describe("the statements of frequent requests", () => {
  it("are searched for sequential scans under any table alias", () => {
    const findScans = (plan: string) => findFullTableScans({ text: "", plan });
    expect(findScans("->  Parallel Seq Scan on sales s\n  ->  Seq Scan on venues v")).toEqual([
      "sales",
    ]);
    expect(findScans("Index Scan using sales_pkey on sales s")).toEqual([]);
  });

  it("have an index for every table that grows with sales", async () => {
    const requests = {
      admin: await createSender(await makeAdmin()),
      popularCreator: await createSender({
        id: await readUserId(admin.href, ACCOUNTS.popularCreator),
      }),
      frequentBuyer: await createSender({
        id: await readUserId(admin.href, ACCOUNTS.frequentBuyer),
      }),
    };
    const asBuyer = await createSender({ id: data.buyers[0]?.id ?? "" });

    await logPlans(admin.href);
    const { closeDatabase } = await import("#platform/database.server.ts");
    await closeDatabase();
    const log = `${running.cluster}/server.log`;
    const visits: Record<string, () => Promise<Response>> = {
      "open a race card": async () =>
        await asBuyer(`/api/race-cards/${data.raceCardIds[0]}/unlock`, { method: "POST" }),
    };
    for (const [requestName, visit] of Object.entries(MEASURED_REQUESTS))
      visits[requestName] = () => (visit.as ? requests[visit.as] : sendAsGuest)(visit.path);
    const fullScans: { requestName: string; table: string; text: string }[] = [];
    let statements = 0;
    for (const [requestName, visit] of Object.entries(visits)) {
      const plans = await readLoggedPlans(log, async () => {
        const response = await visit();
        expect({ requestName, status: response.status }).toEqual({ requestName, status: 200 });
        await response.text();
      });
      expect(plans, requestName).not.toEqual([]);
      statements += plans.length;
      for (const plan of plans.filter(({ text }) => !COUNT_OF_USERS.test(text)))
        for (const table of findFullTableScans(plan))
          fullScans.push({ requestName, table, text: plan.text });
    }
    expect(fullScans).toEqual([]);
    expect(statements).toBeGreaterThan(100);
  });
});

async function withClient<Result>(
  url: string,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function readUserId(url: string, email: string): Promise<string> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>("select id from users where email = $1", [
      email,
    ]);
    return rows[0]?.id ?? "";
  });
}
