import { eachAtOnce } from "#test/concurrency.ts";
import { dropGuards, rewriteFunction } from "../planted-faults.ts";
import { creditsOf, deliver, startCheckout } from "../purchases.ts";
import { expectThat, type Trial } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { makePeople } from "../users.ts";

const DELIVERIES = { quick: 200, full: 1_000 };
const AT_ONCE = 40;
const EVENTS = 20;

/** One paid session that is told of by twenty events, again and again and many at once: one credit. */
export const oneSession: Trial = {
  name: "one-session",
  async breakIt({ db }) {
    await dropGuards(db, "coin_purchases", "ledger_transactions");
    await rewriteFunction(db, "post_to_ledger", [/on conflict \(kind, reference\) do nothing/, ""]);
    await db.query(
      `create function forget_fulfilment() returns trigger language plpgsql as $$
       begin new.status := 'pending'; return new; end $$`,
    );
    await db.query(
      `create trigger orders_forget before update on orders
       for each row execute function forget_fulfilment()`,
    );
  },
  async run(arena) {
    const { db, dice, provider, quick } = arena;
    const [buyer] = await makePeople(db, 1);
    if (!buyer) throw new Error("nobody buys");
    const sessionId = await startCheckout(arena, buyer);
    provider.pay(sessionId);
    const events = Array.from({ length: EVENTS }, () =>
      provider.event("checkout.session.completed", sessionId),
    );
    const deliveries = Array.from({ length: quick ? DELIVERIES.quick : DELIVERIES.full }, () =>
      dice.pick(events),
    );
    const answers = await eachAtOnce(deliveries, AT_ONCE, (event) => deliver(arena, event));
    const { purchases, posted, coins } = await creditsOf(arena, sessionId);
    const problems: string[] = [];
    const statuses = tally(answers.map((answer) => answer.status));
    expectThat(
      problems,
      answers.every((each) => each.status === 200),
      `answers: ${statuses}`,
    );
    expectThat(problems, purchases === 1, `${purchases} purchases were written`);
    expectThat(problems, posted === 1, `it was posted ${posted} times`);
    expectThat(problems, coins === 8, `${coins} coins were credited for 8`);
    return {
      did: `one paid session, ${EVENTS} events delivered ${deliveries.length} times, ${AT_ONCE} at once`,
      figure: `${posted} credit of ${coins} coins; ${statuses}`,
      problems,
    };
  },
};
