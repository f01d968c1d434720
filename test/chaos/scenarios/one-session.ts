import { mapConcurrently } from "#test/concurrency.ts";
import { dropConstraints, rewriteFunction } from "../inject-faults.ts";
import { deliver, readCredits, startCheckout } from "../purchases.ts";
import { expectThat, type Scenario } from "../scenario.ts";
import { tally } from "../statistics.ts";
import { createUsers } from "../users.ts";

const DELIVERIES = { quick: 200, full: 1_000 };
const CONCURRENCY = 40;
const EVENTS = 20;

/** Delivers twenty events about one paid session repeatedly and concurrently; credits it once. */
export const oneSession: Scenario = {
  name: "one-session",
  async injectFault({ db }) {
    await dropConstraints(db, "coin_purchases", "ledger_transactions");
    await rewriteFunction(db, "post_to_ledger", [/on conflict \(kind, reference\) do nothing/, ""]);
    await db.query(
      `create function discard_fulfilment() returns trigger language plpgsql as $$
       begin new.status := 'pending'; return new; end $$`,
    );
    await db.query(
      `create trigger orders_discard before update on orders
       for each row execute function discard_fulfilment()`,
    );
  },
  async run(environment) {
    const { db, random, provider, quick } = environment;
    const [buyer] = await createUsers(db, 1);
    if (!buyer) throw new Error("no buyer was created");
    const sessionId = await startCheckout(environment, buyer);
    provider.pay(sessionId);
    const events = Array.from({ length: EVENTS }, () =>
      provider.event("checkout.session.completed", sessionId),
    );
    const deliveries = Array.from({ length: quick ? DELIVERIES.quick : DELIVERIES.full }, () =>
      random.pick(events),
    );
    const responses = await mapConcurrently(deliveries, CONCURRENCY, (event) =>
      deliver(environment, event),
    );
    const { purchases, posted, coins } = await readCredits(environment, sessionId);
    const problems: string[] = [];
    const statuses = tally(responses.map((response) => response.status));
    expectThat(
      problems,
      responses.every((response) => response.status === 200),
      `statuses: ${statuses}`,
    );
    expectThat(problems, purchases === 1, `${purchases} purchases were stored`);
    expectThat(problems, posted === 1, `it was posted ${posted} times`);
    expectThat(problems, coins === 8, `${coins} coins were credited for 8`);
    return {
      description: `one paid session, ${EVENTS} events delivered ${deliveries.length} times, ${CONCURRENCY} concurrently`,
      measurement: `${posted} credit of ${coins} coins; ${statuses}`,
      problems,
    };
  },
};
