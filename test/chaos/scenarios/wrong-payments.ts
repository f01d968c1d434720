import { randomUUID } from "node:crypto";
import type { FakeProvider } from "#test/fake-provider.ts";
import { deliver, readCredits, startCheckout } from "../purchases.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { createUsers, type TestUser } from "../users.ts";

/** The ways in which a paid session of the provider can differ from its order. */
const DIFFERENCES: Record<
  string,
  (environment: Environment, other: string) => Parameters<FakeProvider["pay"]>[1]
> = {
  "another amount": () => ({ amountCents: 100 }),
  "another currency": () => ({ currency: "usd" }),
  "another buyer's order": ({ provider }, other) => ({
    clientReferenceId: provider.session(other).clientReferenceId,
  }),
  "an unknown order": () => ({ clientReferenceId: randomUUID() }),
  "no order": () => ({ clientReferenceId: "" }),
};

/** A payment that differs from its order is acknowledged, not credited, and raises an alert. */
export const wrongPayments: Scenario = {
  name: "wrong-payments",
  async injectFault({ db }) {
    await db.query(
      `create function discard() returns trigger language plpgsql as $$ begin return null; end $$`,
    );
    await db.query(
      "create trigger alerts_discard before insert on alerts for each row execute function discard()",
    );
  },
  async run(environment) {
    const problems: string[] = [];
    const names = Object.keys(DIFFERENCES);
    const buyers = await createUsers(environment.db, names.length * 2);
    let alerts = 0;
    for (const [index, name] of names.entries()) {
      const [buyer, otherBuyer] = buyers.slice(index * 2) as [TestUser, TestUser];
      const [id, other] = [
        await startCheckout(environment, buyer),
        await startCheckout(environment, otherBuyer),
      ];
      environment.provider.pay(id, DIFFERENCES[name]?.(environment, other));
      const event = environment.provider.event("checkout.session.completed", id);
      const responses = [await deliver(environment, event), await deliver(environment, event)];
      const isAcknowledged = responses.every((response) => response.status === 200);
      expectThat(problems, isAcknowledged, `${name}: returned ${responses[0]?.status}`);
      for (const sessionId of [id, other]) {
        const { coins, posted } = await readCredits(environment, sessionId);
        expectThat(problems, coins === 0 && posted === 0, `${name}: ${coins} coins were credited`);
      }
      const { rows } = await environment.db.query<{ count: number }>(
        "select count(*)::int as count from alerts where subject = any($1)",
        [[id, event.id]],
      );
      alerts += rows[0]?.count ?? 0;
      expectThat(problems, rows[0]?.count === 1, `${name}: ${rows[0]?.count} alerts`);
    }
    return {
      description: `${names.length} paid sessions that differ from their orders, delivered twice each`,
      measurement: `0 coins credited, ${alerts} alerts`,
      problems,
    };
  },
};
