import { Client } from "pg";
import { describe, expect, it } from "vitest";
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

describe("the statements of frequent requests", () => {
  it("are searched for sequential scans under any table alias", () => {
    const findScans = (plan: string) => findFullTableScans({ text: "", plan });
    expect(findScans("->  Parallel Seq Scan on sales s\n  ->  Seq Scan on venues v")).toEqual([
      "sales",
    ]);
    expect(findScans("Index Scan using sales_pkey on sales s")).toEqual([]);
  });

  it("have an index for every table that grows with sales", async () => {
    followMachineClock();
    const running = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR ?? "" });
    const admin = new URL(running.superuserUrl);
    admin.pathname = new URL(process.env.DATABASE_URL ?? "").pathname;
    const data = await fillBenchData(admin.href, "secret", {
      buyers: 2,
      raceCards: 20,
      creators: 10,
    });
    await seedHistory(admin.href, 10_000);
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

async function readUserId(url: string, email: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("select id from users where email = $1", [
    email,
  ]);
  await client.end();
  return rows[0]?.id ?? "";
}
