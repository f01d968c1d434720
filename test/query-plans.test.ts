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
  normaliseStatement,
  readLoggedPlans,
  readRecordedPlans,
} from "#test/query-plans.ts";
import { ACCOUNTS, seedHistory } from "#test/seeded-history.ts";

const recorded = readRecordedPlans();

describe("the recorded plans of frequent statements", () => {
  it("include each plan with its statement", () => {
    expect(Object.keys(recorded)).toHaveLength(Object.keys(MEASURED_REQUESTS).length + 1);
    for (const [requestName, plans] of Object.entries(recorded))
      expect(plans, requestName).not.toEqual([]);
    const plans = Object.values(recorded).flat();
    expect(plans.length).toBeGreaterThan(150);
    for (const { text, plan } of plans) {
      expect(text).not.toBe("");
      expect(plan).not.toBe("");
    }
  });

  it.each(Object.entries(recorded))(
    "contain no sequential scan of a growing table in %s",
    (_, plans) => {
      for (const plan of plans)
        expect({ ...plan, reads: findFullTableScans(plan) }).toEqual({ ...plan, reads: [] });
    },
  );

  it("are searched for sequential scans under any table alias", () => {
    const findScans = (plan: string) => findFullTableScans({ text: "", plan });
    expect(findScans("->  Parallel Seq Scan on sales s\n  ->  Seq Scan on venues v")).toEqual([
      "sales",
    ]);
    expect(findScans("Index Scan using sales_pkey on sales s")).toEqual([]);
  });

  // To record the plans again, run `npm run bench -- --only growth`.
  it("match the statements that the application sends", async () => {
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
    const recordedStatements = new Set(
      Object.values(recorded).flatMap((plans) => plans.map(({ text }) => normaliseStatement(text))),
    );
    const log = `${running.cluster}/server.log`;
    const visits: Record<string, () => Promise<Response>> = {
      "open a race card": async () =>
        await asBuyer(`/api/race-cards/${data.raceCardIds[0]}/unlock`, { method: "POST" }),
    };
    for (const [requestName, visit] of Object.entries(MEASURED_REQUESTS))
      visits[requestName] = () => (visit.as ? requests[visit.as] : sendAsGuest)(visit.path);
    const unrecorded: { requestName: string; statement: string }[] = [];
    let statements = 0;
    for (const [requestName, visit] of Object.entries(visits)) {
      const plans = await readLoggedPlans(log, async () => {
        const response = await visit();
        expect({ requestName, status: response.status }).toEqual({ requestName, status: 200 });
        await response.text();
      });
      statements += plans.length;
      for (const { text } of plans)
        if (!recordedStatements.has(normaliseStatement(text)))
          unrecorded.push({ requestName, statement: normaliseStatement(text) });
    }
    expect(unrecorded).toEqual([]);
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
