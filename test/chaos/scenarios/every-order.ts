import { eachAtOnce } from "#test/concurrency.ts";
import type { ProviderEvent } from "#test/fake-provider.ts";
import { deliver, startCheckout } from "../purchases.ts";
import { type Arena, expectThat, type Trial } from "../scenario.ts";
import { everyOrder, tally } from "../statistics.ts";
import { makePeople, type Person } from "../users.ts";

const ORDERS = { quick: 12, full: 120 };
const AT_ONCE = 6;

/** What became of a purchase, told by five events, and where it all has to end. */
type Story = {
  name: string;
  tell: (arena: Arena, sessionId: string) => ProviderEvent[];
  end: string;
};

const STORIES: Story[] = [
  {
    name: "paid later, half refunded, dispute won",
    tell({ provider }, id) {
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
    end: "fulfilled, 1 credit, 8 coins, owes 0, refunded 3500, dispute won, not frozen",
  },
  {
    name: "refunded in two parts, dispute lost",
    tell({ provider }, id) {
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
    end: "fulfilled, 1 credit, 4 coins, owes 0, refunded 3500, dispute lost, not frozen",
  },
];

/** Five events about one purchase in every order they can come in: it ends the same each time. */
export const everyOrderTrial: Trial = {
  name: "every-order",
  async breakIt({ db }) {
    // What the provider answers is forgotten.
    await db.query(
      `create function forget_report() returns trigger language plpgsql as $$
       begin new.refunded_cents := 0; new.dispute_status := null; return new; end $$`,
    );
    await db.query(
      `create trigger payment_reports_forget before insert or update on payment_reports
       for each row execute function forget_report()`,
    );
  },
  async run(arena) {
    const { db, dice, quick } = arena;
    const problems: string[] = [];
    const figures: string[] = [];
    for (const story of STORIES) {
      const orders = dice
        .shuffle(everyOrder([0, 1, 2, 3, 4]))
        .slice(0, quick ? ORDERS.quick : ORDERS.full);
      const buyers = await makePeople(db, orders.length, 4);
      const ends = await eachAtOnce(orders, AT_ONCE, (order, index) =>
        hearIn(order, story, buyers[index] as Person, arena),
      );
      const wrong = ends.findIndex((end) => end !== story.end);
      expectThat(problems, wrong < 0, `${story.name}, as ${orders[wrong]}: ${ends[wrong]}`);
      figures.push(tally(ends));
    }
    return {
      did: `five events about a purchase in ${quick ? ORDERS.quick : ORDERS.full} orders, ${STORIES.length} stories`,
      figure: figures.map((figure) => `[${figure}]`).join(" "),
      problems,
    };
  },
};

async function hearIn(order: number[], story: Story, buyer: Person, arena: Arena): Promise<string> {
  const sessionId = await startCheckout(arena, buyer);
  const events = story.tell(arena, sessionId);
  for (const index of order) {
    const event = events[index];
    const answer = event && (await deliver(arena, event));
    if (answer?.status !== 200) return `${event?.type} was answered ${answer?.status}`;
  }
  const { rows } = await arena.db.query<{ state: string }>(
    `select o.status || ', ' || (select count(*) from coin_purchases p where p.order_id = o.id)
       || ' credit, ' || w.balance_coins || ' coins, owes ' || w.owed_coins
       || ', refunded ' || p.refunded_cents || ', dispute ' || coalesce(p.dispute_status, 'none')
       || case when w.frozen_at is null then ', not frozen' else ', frozen' end as state
     from orders o join wallets w on w.user_id = o.user_id
     left join coin_purchases p on p.order_id = o.id where o.session_id = $1`,
    [sessionId],
  );
  return rows[0]?.state ?? "nothing of it is known";
}
