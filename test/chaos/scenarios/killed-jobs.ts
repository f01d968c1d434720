import { comesTrue } from "#test/concurrency.ts";
import { deliver, startCheckout } from "../purchases.ts";
import { expectThat, type Trial } from "../scenario.ts";
import { makePeople } from "../users.ts";

const PURCHASES = 4;
const AGAIN_WITHIN_MS = { quick: 30_000, full: 15_000 };

/** The process that works the jobs is killed amid them: they are worked again, and come to one receipt each. */
export const killedJobs: Trial = {
  name: "killed-jobs",
  async breakIt({ db }) {
    // Nobody notices that a worker is gone.
    await db.query("update jobs.queue set heartbeat_seconds = null");
  },
  async run(arena) {
    const { db, provider, quick, web } = arena;
    const buyers = await makePeople(db, PURCHASES);
    const ids = buyers.map((buyer) => buyer.id);
    // So slow that the kill comes in the middle.
    await db.query(
      `create function dawdle() returns trigger language plpgsql as $$
       begin perform pg_sleep(2); return new; end $$;
       create trigger mails_dawdle before insert on mails for each row execute function dawdle()`,
    );
    for (const buyer of buyers) {
      const sessionId = await startCheckout(arena, buyer);
      provider.pay(sessionId);
      await deliver(arena, provider.event("checkout.session.completed", sessionId));
    }
    const jobs = async (state: string) => {
      const { rows } = await db.query<{ count: number }>(
        "select count(*)::int as count from jobs.job where name = 'mail-about-purchase' and state::text = $1",
        [state],
      );
      return rows[0]?.count ?? 0;
    };
    const problems: string[] = [];
    const isUnderWay = await comesTrue(async () => (await jobs("active")) > 0, 20_000);
    expectThat(problems, isUnderWay, "no receipt was ever under way");
    const killedAt = performance.now();
    web.kill();
    await db.query("drop function dawdle() cascade");
    const receipts = async () => {
      const { rows } = await db.query<{ count: number }>(
        `select count(m.id)::int as count from unnest($1::uuid[]) buyer
         left join mails m on m.user_id = buyer and m.kind = 'receipt' group by buyer`,
        [ids],
      );
      return rows.map((row) => row.count).join(" ");
    };
    const expected = ids.map(() => 1).join(" ");
    const limit = quick ? AGAIN_WITHIN_MS.quick : AGAIN_WITHIN_MS.full;
    await comesTrue(async () => (await receipts()) === expected, limit);
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1);
    const found = await receipts();
    expectThat(problems, found === expected, `receipts of each purchase: ${found}`);
    await comesTrue(() => web.isWhole, 30_000);
    return {
      did: `the worker killed amid ${PURCHASES} receipts`,
      figure: `${found === expected ? "each written once" : found} after ${seconds} s`,
      problems,
    };
  },
};
