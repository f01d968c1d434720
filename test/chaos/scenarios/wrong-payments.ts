import { randomUUID } from "node:crypto";
import { creditsOf, deliver, startCheckout } from "../purchases.ts";
import { type Arena, expectThat, type Trial } from "../scenario.ts";
import { makePeople, type Person } from "../users.ts";

/** What a paid session may say otherwise than its order, and by what the alert about it is named. */
const DIFFERENCES: Record<string, (arena: Arena, id: string, other: string) => object> = {
  "another amount": () => ({ amount_total: 100 }),
  "another currency": () => ({ currency: "usd" }),
  "the order of another": ({ provider }, _id, other) => ({
    client_reference_id: provider.session(other).clientReferenceId,
  }),
  "an order that is not ours": () => ({ client_reference_id: randomUUID() }),
  "no order": () => ({ client_reference_id: null }),
};

/** Paid, but not as ordered: nothing is credited, it is said thank you to, and the operator is told. */
export const wrongPayments: Trial = {
  name: "wrong-payments",
  async breakIt({ db }) {
    await db.query(
      `create function swallow() returns trigger language plpgsql as $$ begin return null; end $$`,
    );
    await db.query(
      "create trigger alerts_swallow before insert on alerts for each row execute function swallow()",
    );
  },
  async run(arena) {
    const problems: string[] = [];
    const names = Object.keys(DIFFERENCES);
    const buyers = await makePeople(arena.db, names.length * 2);
    let alerts = 0;
    for (const [index, name] of names.entries()) {
      const [buyer, bystander] = buyers.slice(index * 2) as [Person, Person];
      const [id, other] = [
        await startCheckout(arena, buyer),
        await startCheckout(arena, bystander),
      ];
      arena.provider.pay(id);
      const event = arena.provider.event("checkout.session.completed", id);
      const { object } = event.data as { object: object };
      Object.assign(object, DIFFERENCES[name]?.(arena, id, other));
      const answers = [await deliver(arena, event), await deliver(arena, event)];
      const isTaken = answers.every((answer) => answer.status === 200);
      expectThat(problems, isTaken, `${name}: answered ${answers[0]?.status}`);
      for (const each of [id, other]) {
        const { coins, posted } = await creditsOf(arena, each);
        expectThat(problems, coins === 0 && posted === 0, `${name}: ${coins} coins were credited`);
      }
      const { rows } = await arena.db.query<{ count: number }>(
        "select count(*)::int as count from alerts where subject = any($1)",
        [[id, event.id]],
      );
      alerts += rows[0]?.count ?? 0;
      expectThat(problems, rows[0]?.count === 1, `${name}: ${rows[0]?.count} alerts`);
    }
    return {
      did: `${names.length} paid sessions that differ from their orders, told twice each`,
      figure: `0 coins credited, ${alerts} alerts`,
      problems,
    };
  },
};
