import { mapConcurrently } from "#test/concurrency.ts";
import type { ProviderEvent } from "#test/fake-provider.ts";
import { deliver, startCheckout } from "../purchases.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { permutations, tally } from "../statistics.ts";
import { createUsers, type TestUser } from "../users.ts";

const ORDERS = { quick: 12, full: 120 };
const CONCURRENCY = 6;

/** Five events about one purchase and the state they must lead to. */
type EventSequence = {
  name: string;
  events: (environment: Environment, sessionId: string) => ProviderEvent[];
  finalState: string;
};

const SEQUENCES: EventSequence[] = [
  {
    name: "delayed payment, half refunded, dispute won",
    events({ provider }, id) {
      provider.pay(id, { paymentStatus: "unpaid" });
      const completed = provider.event("checkout.session.completed", id);
      provider.change(id, { paymentStatus: "paid" });
      const succeeded = provider.event("checkout.session.async_payment_succeeded", id);
      provider.change(id, { refundedCents: 3500 });
      const refunded = provider.event("charge.refunded", id);
      provider.change(id, { disputeStatus: "needs_response" });
      const disputed = provider.event("charge.dispute.created", id);
      provider.change(id, { disputeStatus: "won" });
      return [
        completed,
        succeeded,
        refunded,
        disputed,
        provider.event("charge.dispute.closed", id),
      ];
    },
    finalState: "fulfilled, 1 credit, 8 coins, owes 0, refunded 3500, dispute won, not frozen",
  },
  {
    name: "refunded in two parts, dispute lost",
    events({ provider }, id) {
      provider.pay(id);
      const completed = provider.event("checkout.session.completed", id);
      provider.change(id, { refundedCents: 700 });
      const first = provider.event("charge.refunded", id);
      provider.change(id, { refundedCents: 3500 });
      const second = provider.event("charge.refunded", id);
      provider.change(id, { disputeStatus: "needs_response" });
      const disputed = provider.event("charge.dispute.created", id);
      provider.change(id, { disputeStatus: "lost" });
      return [completed, first, second, disputed, provider.event("charge.dispute.closed", id)];
    },
    finalState: "fulfilled, 1 credit, 4 coins, owes 0, refunded 3500, dispute lost, not frozen",
  },
];

/** Delivers five events about one purchase in different orders: the final state is always the same. */
export const everyOrder: Scenario = {
  name: "every-order",
  async injectFault({ db }) {
    // Discards the state that the provider reported.
    await db.query(
      `create function discard_report() returns trigger language plpgsql as $$
       begin new.refunded_cents := 0; new.dispute_status := null; return new; end $$`,
    );
    await db.query(
      `create trigger payment_reports_discard before insert or update on payment_reports
       for each row execute function discard_report()`,
    );
  },
  async run(environment) {
    const { db, random, quick } = environment;
    const problems: string[] = [];
    const measurements: string[] = [];
    for (const sequence of SEQUENCES) {
      const orders = random
        .shuffle(permutations([0, 1, 2, 3, 4]))
        .slice(0, quick ? ORDERS.quick : ORDERS.full);
      const buyers = await createUsers(db, orders.length, 4);
      const finalStates = await mapConcurrently(orders, CONCURRENCY, (order, index) =>
        deliverInOrder(order, sequence, buyers[index] as TestUser, environment),
      );
      const unexpected = finalStates.findIndex((state) => state !== sequence.finalState);
      expectThat(
        problems,
        unexpected < 0,
        `${sequence.name}, as ${orders[unexpected]}: ${finalStates[unexpected]}`,
      );
      measurements.push(tally(finalStates));
    }
    return {
      description: `five events about a purchase in ${quick ? ORDERS.quick : ORDERS.full} orders, ${SEQUENCES.length} sequences`,
      measurement: measurements.map((measurement) => `[${measurement}]`).join(" "),
      problems,
    };
  },
};

async function deliverInOrder(
  order: number[],
  sequence: EventSequence,
  buyer: TestUser,
  environment: Environment,
): Promise<string> {
  const sessionId = await startCheckout(environment, buyer);
  const events = sequence.events(environment, sessionId);
  for (const index of order) {
    const event = events[index];
    const response = event && (await deliver(environment, event));
    if (response?.status !== 200) return `${event?.type} returned ${response?.status}`;
  }
  const { rows } = await environment.db.query<{ state: string }>(
    `select o.status || ', ' || (select count(*) from coin_purchases p where p.order_id = o.id)
       || ' credit, ' || w.balance_coins || ' coins, owes ' || w.owed_coins
       || ', refunded ' || p.refunded_cents || ', dispute ' || coalesce(p.dispute_status, 'none')
       || case when w.frozen_at is null then ', not frozen' else ', frozen' end as state
     from orders o join wallets w on w.user_id = o.user_id
     left join coin_purchases p on p.order_id = o.id where o.session_id = $1`,
    [sessionId],
  );
  return rows[0]?.state ?? "no order";
}
