import { PgBoss } from "pg-boss";
import { waitUntil } from "#test/concurrency.ts";
import { startCheckout } from "../purchases.ts";
import { expectThat, type Scenario } from "../scenario.ts";
import { createUsers } from "../users.ts";

const PURCHASES = 6;
const RECONCILE_TIMEOUT_MS = 30_000;

/** Delivers no webhook for paid sessions: the reconciler credits each once and applies refunds. */
export const missingWebhooks: Scenario = {
  name: "missing-webhooks",
  async injectFault({ provider }) {
    provider.isBroken = true;
  },
  async run(environment) {
    const { isFaultInjected, database, db, provider } = environment;
    const buyers = await createUsers(db, PURCHASES);
    provider.isBroken = false;
    const sessionIds: string[] = [];
    for (const buyer of buyers) sessionIds.push(await startCheckout(environment, buyer));
    for (const [index, id] of sessionIds.entries()) {
      provider.pay(id);
      provider.event("checkout.session.completed", id);
      if (index % 3 > 0) continue;
      provider.change(id, { refundedCents: 7000 });
      provider.event("charge.refunded", id);
    }
    provider.isBroken = isFaultInjected;
    // The reconciler skips recent orders, whose webhook may still arrive.
    await db.query(
      "update orders set updated_at = updated_at - interval '3 minutes' where session_id = any($1)",
      [sessionIds],
    );
    const startedAt = performance.now();
    await reconcileNow(database.url);
    const readCoins = async () => {
      const { rows } = await db.query<{ state: string }>(
        `select string_agg(coalesce(p.coins - p.recovered_coins, -1)::text, ' ' order by o.created_at) as state
         from orders o left join coin_purchases p on p.order_id = o.id
         where o.session_id = any($1)`,
        [sessionIds],
      );
      return rows[0]?.state;
    };
    const expected = sessionIds.map((_, index) => (index % 3 > 0 ? 8 : 0)).join(" ");
    const isReconciled = await waitUntil(
      async () => (await readCoins()) === expected,
      isFaultInjected ? 6_000 : RECONCILE_TIMEOUT_MS,
      100,
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    // A second run must change nothing.
    if (isReconciled) await reconcileNow(database.url);
    const problems: string[] = [];
    const state = await readCoins();
    expectThat(
      problems,
      state === expected,
      `coins remaining of each purchase: ${state}, not ${expected}`,
    );
    return {
      description: `${PURCHASES} paid sessions, two of them refunded, and no webhook`,
      measurement: isReconciled
        ? `all credited by the reconciler in ${seconds} s`
        : `after ${seconds} s: ${state}`,
      problems,
    };
  },
};

/** Runs the reconciler now instead of at its next scheduled time. */
async function reconcileNow(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: "jobs",
    supervise: false,
    schedule: false,
    migrate: false,
    createSchema: false,
    max: 1,
  });
  boss.on("error", () => {});
  await boss.start();
  await boss.send("reconcile-payments", {});
  await boss.stop({ graceful: false });
}
