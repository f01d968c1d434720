import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, beforeAll, expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { makeDemoPurchase } from "#payments/fake-stripe/make-demo-purchase.server.ts";
import { paySession } from "#payments/fake-stripe/pay-session.server.ts";
import {
  disputePayment,
  failRefund,
  refundPayment,
} from "#payments/fake-stripe/refund-and-dispute.server.ts";
import { fulfilPurchase } from "#payments/fulfil-purchase.server.ts";
import { startGuestPurchase } from "#payments/start-guest-purchase.server.ts";
import { readSession } from "#payments/stripe/gateway.server.ts";
import { syncPayment } from "#payments/sync-payment.server.ts";
import {
  listHeldEarnings,
  releaseEarning,
  requestPayout,
  reverseHeldEarning,
  rollUpEarnings,
  startPayout,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { now, setClockAhead } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs, voidRaceCard } from "#sales/sales.server.ts";
import { closeUserAccount } from "#site/profile/close-user-account.server.ts";
import { makeAdmin, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";

// Money operations in generated orders. Each step has its own tests; here they interleave, through
// the product's own functions, with all integrity checks after each step and a moving clock.

const DAY = 24 * 60 * 60_000;
const VENUES = ["kenilworth", "greyville", "turffontein", "vaal", "fairview"];
const CARD_NUMBERS = ["4242424242424242", "5555555555554444", "4111111111111111"];
const DETAILS = {
  holder: "Thabo Nkosi",
  bank: "Standard Bank",
  branchCode: "051001",
  accountNumber: "012345678",
  accountType: "savings" as const,
};

let aheadMs = 0;
beforeAll(stubFetchInProcess);
afterEach(() => setClockAhead(0));

type Purchase = { sessionId: string; paymentIntentId: string };

/** Two tipsters, two registered buyers, an admin, and the state so far. */
class World {
  adminId = "";
  creators: string[] = [];
  buyers: string[] = [];
  cards: string[] = [];
  purchases: Purchase[] = [];

  static async begin(): Promise<World> {
    const world = new World();
    world.adminId = (await makeAdmin()).id;
    for (let index = 0; index < 2; index += 1) {
      const { id } = await makeTipster();
      await writeBankDetails(id, DETAILS);
      world.creators.push(id);
      world.buyers.push((await makeUser()).id);
    }
    // Bank details must be 72 hours old.
    await pass(4);
    for (let index = 0; index < 3; index += 1) await world.publish(index);
    return world;
  }

  async publish(choice: number): Promise<void> {
    const creatorId = at(this.creators, choice);
    const venue = VENUES[this.cards.length % VENUES.length];
    // One race card per venue and day: a second one is refused.
    const published = await publishRaceCard({ creatorId, venue, races: [1, 2, 3] }).catch(
      () => null,
    );
    if (published) this.cards.push(published.raceCardId);
  }

  async add(sessionId: string, userId: string, paymentIntentId: string | null): Promise<void> {
    if (!paymentIntentId) throw new Error("a paid session has a payment");
    this.purchases.push({ sessionId, paymentIntentId });
    if (!this.buyers.includes(userId)) this.buyers.push(userId);
  }
}

function at<T>(list: T[], choice: number): T {
  return list[choice % list.length] as T;
}

async function pass(days: number): Promise<void> {
  aheadMs += days * DAY;
  setClockAhead(aheadMs);
}

type Step = { do: keyof typeof STEPS; choice: number; other: number; share: number };

const STEPS = {
  async guestPurchase(world: World, { choice, other }: Step) {
    const started = await startGuestPurchase({
      raceCardId: at(world.cards, choice),
      name: "Sipho Dlamini",
      email: `guest-${randomUUID()}@example.test`,
      password: "a horse called Pocket",
      agreed: true,
      idempotencyKey: randomUUID(),
      clientAddress: `10.${other}.${choice}.1`,
      returnTo: "/",
    });
    // The race card may no longer be on sale.
    if (!started.ok) return;
    await paySession(started.sessionId, at(CARD_NUMBERS, other), { holder: `Holder ${choice}` });
    const session = await readSession(started.sessionId);
    if (!session) throw new Error("no session");
    expect(await fulfilPurchase(session)).toBe("credited");
    const { rows } = await database().execute<{ user_id: string }>(
      sql`select user_id from coin_purchases where stripe_session_id = ${started.sessionId}`,
    );
    await world.add(started.sessionId, rows[0]?.user_id ?? "", session.paymentIntentId);
  },
  async purchase(world: World, { choice, other }: Step) {
    const userId = at(world.buyers, choice);
    const packageId = at(["starter_4", "value_8", "pro_12"], other);
    const { sessionId } = await makeDemoPurchase({ userId, packageId, at: now() });
    const session = await readSession(sessionId);
    await world.add(sessionId, userId, session?.paymentIntentId ?? null);
  },
  async unlock(world: World, { choice, other }: Step) {
    await unlockRaceCardAs(at(world.buyers, choice), { raceCardId: at(world.cards, other) });
  },
  refund: (world: World, step: Step) => undo(world, step, (id, cents) => refundPayment(id, cents)),
  failRefund: (world: World, step: Step) => undo(world, step, (id, cents) => failRefund(id, cents)),
  dispute: (world: World, step: Step) =>
    undo(world, step, (id, amountCents) => disputePayment(id, "needs_response", { amountCents })),
  winDispute: (world: World, step: Step) => undo(world, step, (id) => disputePayment(id, "won")),
  loseDispute: (world: World, step: Step) => undo(world, step, (id) => disputePayment(id, "lost")),
  async review(world: World, { choice, other }: Step) {
    const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 100 });
    const held = earnings.filter((earning) => world.creators.includes(earning.creatorId));
    if (held.length === 0) return;
    const { saleId } = at(held, choice);
    if (other % 2) await releaseEarning(world.adminId, saleId);
    else await reverseHeldEarning(world.adminId, saleId, "Friends of the tipster");
  },
  async voidCard(world: World, { choice }: Step) {
    const raceCardId = at(world.cards, choice);
    await voidRaceCard(world.adminId, { raceCardId, reason: "Abandoned" });
    await drainQueue(jobs());
  },
  async payout(world: World, { choice }: Step) {
    await requestPayout(at(world.creators, choice));
  },
  async startPayout(world: World, { choice }: Step) {
    const { rows } = await database().execute<{ id: string }>(sql`
      select id from payouts where creator_id = ${at(world.creators, choice)}
        and status = 'requested'`);
    if (rows[0]) await startPayout(world.adminId, rows[0].id);
  },
  async closeAccount(world: World, { choice }: Step) {
    await closeUserAccount(world.adminId, at(world.buyers, choice), "Asked for it");
  },
  publish: (world: World, { choice }: Step) => world.publish(choice),
  async days(world: World, { choice, other }: Step) {
    await pass(1 + (choice % 8));
    await rollUpEarnings();
    await world.publish(other);
  },
};

/** Changes part of a payment at the provider and delivers the event. */
async function undo(
  world: World,
  { choice, share }: Step,
  change: (sessionId: string, cents: number) => Promise<void>,
): Promise<void> {
  if (world.purchases.length === 0) return;
  const { sessionId, paymentIntentId } = at(world.purchases, choice);
  const session = await readSession(sessionId);
  await change(sessionId, Math.ceil(((session?.amountCents ?? 0) * share) / 8));
  await syncPayment(paymentIntentId);
}

/** A wallet is frozen exactly while a payment of its owner is disputed. */
async function expectFrozenWhileDisputed(): Promise<void> {
  const { rows } = await database().execute(sql`
    select w.user_id, w.frozen_at is not null as is_frozen from wallets w
    where (w.frozen_at is not null) <> exists (select from coin_purchases p
      where p.user_id = w.user_id and p.dispute_status = 'open')`);
  expect(rows).toEqual([]);
}

const choice = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    // Purchases are generated more often than refunds and disputes.
    { weight: 3, arbitrary: fc.constantFrom("guestPurchase", "purchase") },
    { weight: 6, arbitrary: fc.constantFrom("unlock") },
    { weight: 6, arbitrary: fc.constantFrom("refund", "failRefund", "dispute") },
    { weight: 4, arbitrary: fc.constantFrom("winDispute", "loseDispute") },
    { weight: 2, arbitrary: fc.constantFrom("payout", "startPayout", "days") },
    { weight: 2, arbitrary: fc.constantFrom("review", "publish", "voidCard", "closeAccount") },
  ) as fc.Arbitrary<keyof typeof STEPS>,
  choice,
  other: choice,
  share: fc.integer({ min: 1, max: 8 }),
});

const RUNS = Number(process.env.MONEY_HISTORIES ?? 6);

it("satisfies every invariant in generated histories of purchases, refunds, disputes and payouts", {
  timeout: 60_000 + RUNS * 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      const world = await World.begin();
      for (const each of steps) {
        await STEPS[each.do](world, each);
        await expectInvariantsToHold();
        await expectFrozenWhileDisputed();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
