import { PgBoss } from "pg-boss";
import { comesTrue } from "#test/concurrency.ts";
import { startCheckout } from "../purchases.ts";
import { expectThat, type Trial } from "../scenario.ts";
import { makePeople } from "../users.ts";

const PURCHASES = 6;
const WITHIN_MS = 30_000;

/** Paid, and no word of it reaches us: the reconciler asks, credits once, and finds the refunds too. */
export const silentWebhooks: Trial = {
  name: "silent-webhooks",
  async breakIt({ provider }) {
    provider.isBroken = true;
  },
  async run(arena) {
    const { broken, database, db, provider } = arena;
    const buyers = await makePeople(db, PURCHASES);
    provider.isBroken = false;
    const sessionIds: string[] = [];
    for (const buyer of buyers) sessionIds.push(await startCheckout(arena, buyer));
    for (const [index, id] of sessionIds.entries()) {
      provider.pay(id);
      provider.event("checkout.session.completed", id);
      if (index % 3 > 0) continue;
      provider.change(id, { refundedCents: 7000 });
      provider.event("charge.refunded", id);
    }
    provider.isBroken = broken;
    // It leaves alone what a webhook may still be under way for.
    await db.query(
      "update orders set updated_at = updated_at - interval '3 minutes' where session_id = any($1)",
      [sessionIds],
    );
    const beganAt = performance.now();
    await reconcileNow(database.url);
    const standing = async () => {
      const { rows } = await db.query<{ state: string }>(
        `select string_agg(coalesce(p.coins - p.taken_back_coins, -1)::text, ' ' order by o.created_at) as state
         from orders o left join coin_purchases p on p.order_id = o.id
         where o.session_id = any($1)`,
        [sessionIds],
      );
      return rows[0]?.state;
    };
    const expected = sessionIds.map((_, index) => (index % 3 > 0 ? 8 : 0)).join(" ");
    const found = await comesTrue(
      async () => (await standing()) === expected,
      broken ? 6_000 : WITHIN_MS,
      100,
    );
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    // A second look changes nothing.
    if (found) await reconcileNow(database.url);
    const problems: string[] = [];
    const state = await standing();
    expectThat(
      problems,
      state === expected,
      `coins left of each purchase: ${state}, not ${expected}`,
    );
    return {
      did: `${PURCHASES} paid sessions, two of them refunded, and not one webhook`,
      figure: found
        ? `all credited by the reconciler in ${seconds} s`
        : `after ${seconds} s: ${state}`,
      problems,
    };
  },
};

/** Lets the reconciler run now instead of at its next five minutes. */
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
