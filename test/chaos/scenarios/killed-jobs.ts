import { waitUntil } from "#test/concurrency.ts";
import { deliver, startCheckout } from "../purchases.ts";
import { expectThat, type Scenario } from "../scenario.ts";
import { createUsers } from "../users.ts";

const PURCHASES = 4;
const MAX_RETRY_MS = { quick: 30_000, full: 15_000 };

/** Kills the process that runs jobs during jobs: they are retried and send one receipt each. */
export const killedJobs: Scenario = {
  name: "killed-jobs",
  async injectFault({ db }) {
    // Disables the heartbeat that detects dead workers.
    await db.query("update jobs.queue set heartbeat_seconds = null");
  },
  async run(environment) {
    const { db, provider, quick, web } = environment;
    const buyers = await createUsers(db, PURCHASES);
    const ids = buyers.map((buyer) => buyer.id);
    // Slows the job down, so that the kill interrupts it.
    await db.query(
      `create function delay_insert() returns trigger language plpgsql as $$
       begin perform pg_sleep(2); return new; end $$;
       create trigger emails_delay_insert before insert on emails for each row execute function delay_insert()`,
    );
    for (const buyer of buyers) {
      const sessionId = await startCheckout(environment, buyer);
      provider.pay(sessionId);
      await deliver(environment, provider.event("checkout.session.completed", sessionId));
    }
    const countJobs = async (state: string) => {
      const { rows } = await db.query<{ count: number }>(
        "select count(*)::int as count from jobs.job where name = 'send-purchase-email' and state::text = $1",
        [state],
      );
      return rows[0]?.count ?? 0;
    };
    const problems: string[] = [];
    const isActive = await waitUntil(async () => (await countJobs("active")) > 0, 20_000);
    expectThat(problems, isActive, "no receipt job was ever active");
    const killedAt = performance.now();
    web.kill();
    await db.query("drop function delay_insert() cascade");
    const countReceipts = async () => {
      const { rows } = await db.query<{ count: number }>(
        `select count(m.id)::int as count from unnest($1::uuid[]) buyer
         left join emails m on m.user_id = buyer and m.kind = 'receipt' group by buyer`,
        [ids],
      );
      return rows.map((row) => row.count).join(" ");
    };
    const expected = ids.map(() => 1).join(" ");
    const limit = quick ? MAX_RETRY_MS.quick : MAX_RETRY_MS.full;
    await waitUntil(async () => (await countReceipts()) === expected, limit);
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1);
    const receipts = await countReceipts();
    expectThat(problems, receipts === expected, `receipts per purchase: ${receipts}`);
    await waitUntil(() => web.isFullyListening, 30_000);
    return {
      description: `worker killed during ${PURCHASES} receipt jobs`,
      measurement: `${receipts === expected ? "one each" : receipts} after ${seconds} s`,
      problems,
    };
  },
};
