import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { makeDemoPurchase } from "#payments/fake-provider/make-demo-purchase.server.ts";
import { paySession } from "#payments/fake-stripe/pay-session.server.ts";
import {
  disputePayment,
  failRefund,
  refundPayment,
} from "#payments/fake-stripe/refund-and-dispute.server.ts";
import { fulfilPurchase } from "#payments/fulfil-purchase.server.ts";
import { startGuestPurchase } from "#payments/start-guest-purchase.server.ts";
import { stripeGateway } from "#payments/stripe/gateway.server.ts";
import { syncPayment } from "#payments/sync-payment.server.ts";
import {
  listHeldEarnings,
  requestPayout,
  rollUpEarnings,
  startPayout,
  writeBankDetails,
} from "#payouts/payouts.server.ts";
import { releaseEarning, reverseHeldEarning } from "#payouts/review-earning.server.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { closeUserAccount } from "#site/profile/close-user-account.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import {
  exportForBank,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
  withdrawShownExport,
} from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { startTestClock } from "#test/test-clock.ts";
import { CREATOR_SHARE, changePrice, findFirstChangeDate } from "#wallet/wallet.server.ts";

// Runs money operations in generated orders, through the application's functions and with an advancing clock,
// and checks all invariants after each step. Other tests cover each operation alone.

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

/** Time never goes back, also between tests: terms that another history has changed would apply again. */
let aheadMs = 0;
beforeAll(stubFetchInProcess);
afterAll(() => startTestClock());

type Purchase = { sessionId: string; paymentId: string };

/** A history with two tipsters, two registered buyers and an admin, and its current state. */
class Scenario {
  adminId = "";
  creators: string[] = [];
  buyers: string[] = [];
  cards: string[] = [];
  purchases: Purchase[] = [];

  static async create(): Promise<Scenario> {
    const scenario = new Scenario();
    scenario.adminId = (await makeAdmin()).id;
    for (let index = 0; index < 2; index += 1) {
      const { id } = await makeTipster();
      await writeBankDetails(id, DETAILS);
      scenario.creators.push(id);
      scenario.buyers.push((await makeUser()).id);
    }
    // Another history may have changed the terms.
    await changeTerms(scenario.adminId, 4000, 70);
    // Bank details must be 72 hours old.
    await advanceDays(4);
    for (let index = 0; index < 3; index += 1) await scenario.publish(index);
    return scenario;
  }

  async publish(choice: number): Promise<void> {
    const creatorId = pick(this.creators, choice);
    const venue = VENUES[this.cards.length % VENUES.length];
    // One race card per venue and day: a second one is refused.
    const published = await publishRaceCard({ creatorId, venue, races: [1, 2, 3] }).catch(
      () => null,
    );
    if (published) this.cards.push(published.raceCardId);
  }

  async add(sessionId: string, userId: string, paymentId: string | null): Promise<void> {
    if (!paymentId) throw new Error("a paid session has a payment");
    this.purchases.push({ sessionId, paymentId });
    if (!this.buyers.includes(userId)) this.buyers.push(userId);
  }
}

function pick<T>(list: T[], choice: number): T {
  return list[choice % list.length] as T;
}

async function advanceDays(days: number): Promise<void> {
  aheadMs += days * DAY;
  startTestClock({ aheadMs });
}

/** Changes the price of a race card and the creators' share from the next day on. */
async function changeTerms(adminId: string, cents: number, sharePercent: number): Promise<void> {
  const from = findFirstChangeDate();
  await changePrice(adminId, { subject: "starter_4", value: cents, from });
  await changePrice(adminId, { subject: CREATOR_SHARE, value: sharePercent, from });
}

type Step = { do: keyof typeof STEPS; choice: number; other: number; share: number };

const STEPS = {
  async guestPurchase(scenario: Scenario, { choice, other }: Step) {
    const started = await startGuestPurchase({
      raceCardId: pick(scenario.cards, choice),
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
    await paySession(started.sessionId, pick(CARD_NUMBERS, other), { holder: `Holder ${choice}` });
    const session = await stripeGateway.readCheckout(started.sessionId);
    if (!session) throw new Error("no session");
    expect(await fulfilPurchase(session)).toBe("credited");
    const { rows } = await database().execute<{ user_id: string }>(
      sql`select user_id from coin_purchases where session_id = ${started.sessionId}`,
    );
    await scenario.add(started.sessionId, rows[0]?.user_id ?? "", session.paymentId);
  },
  async purchase(scenario: Scenario, { choice, other }: Step) {
    const userId = pick(scenario.buyers, choice);
    const coinPackId = pick(["starter_4", "value_8", "pro_12"], other);
    const { sessionId } = await makeDemoPurchase({ userId, coinPackId, at: now() });
    const session = await stripeGateway.readCheckout(sessionId);
    await scenario.add(sessionId, userId, session?.paymentId ?? null);
  },
  async unlock(scenario: Scenario, { choice, other }: Step) {
    await unlockRaceCardAs(pick(scenario.buyers, choice), {
      raceCardId: pick(scenario.cards, other),
    });
  },
  refund: (scenario: Scenario, step: Step) =>
    changePayment(scenario, step, (id, cents) => refundPayment(id, cents)),
  failRefund: (scenario: Scenario, step: Step) =>
    changePayment(scenario, step, (id, cents) => failRefund(id, cents)),
  dispute: (scenario: Scenario, step: Step) =>
    changePayment(scenario, step, (id, amountCents) =>
      disputePayment(id, "needs_response", { amountCents }),
    ),
  winDispute: (scenario: Scenario, step: Step) =>
    changePayment(scenario, step, (id) => disputePayment(id, "won")),
  loseDispute: (scenario: Scenario, step: Step) =>
    changePayment(scenario, step, (id) => disputePayment(id, "lost")),
  async review(scenario: Scenario, { choice, other }: Step) {
    const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 100 });
    const held = earnings.filter((earning) => scenario.creators.includes(earning.creatorId));
    if (held.length === 0) return;
    const { saleId } = pick(held, choice);
    if (other % 2) await releaseEarning(scenario.adminId, saleId);
    else await reverseHeldEarning(scenario.adminId, saleId, "Friends of the tipster");
  },
  async voidCard(scenario: Scenario, { choice }: Step) {
    const raceCardId = pick(scenario.cards, choice);
    await voidRaceCardAsTwo(scenario.adminId, { raceCardId, reason: "Abandoned" });
    await drainQueue(jobs());
  },
  /** Enters or corrects the results of one or two races of a race card. */
  async enterResults(scenario: Scenario, { choice, other, share }: Step) {
    const raceCardId = pick(scenario.cards, choice);
    const { rows } = await database().execute<{ id: string }>(
      sql`select id from tips where race_card_id = ${raceCardId} order by race_number`,
    );
    const result = pick(["void", "void", "lost"] as const, other);
    for (const { id } of rows.slice(share % 3, (share % 3) + 2))
      await enterTipResultAsTwo(scenario.adminId, { tipId: id, result, reason: "Official result" });
    await drainQueue(jobs());
  },
  async payout(scenario: Scenario, { choice }: Step) {
    await requestPayout(pick(scenario.creators, choice));
  },
  async startPayout(scenario: Scenario, { choice }: Step) {
    const { rows } = await database().execute<{ id: string }>(sql`
      select id from payouts where creator_id = ${pick(scenario.creators, choice)}
        and status = 'requested'`);
    if (rows[0]) await startPayout(scenario.adminId, rows[0].id);
  },
  async exportPayout(scenario: Scenario, { choice }: Step) {
    const { rows } = await database().execute<{ id: string }>(sql`
      select id from payouts where creator_id = ${pick(scenario.creators, choice)}
        and status = 'processing' and export_id is null`);
    if (rows[0]) await exportForBank(scenario.adminId, rows[0].id);
  },
  async withdrawExport(scenario: Scenario, { choice }: Step) {
    const { rows } = await database().execute<{ id: string }>(sql`
      select id from payouts where creator_id = ${pick(scenario.creators, choice)}
        and export_id is not null`);
    if (rows[0]) await withdrawShownExport(scenario.adminId, rows[0].id, "Stopped at the bank");
  },
  async closeAccount(scenario: Scenario, { choice }: Step) {
    await closeUserAccount(scenario.adminId, pick(scenario.buyers, choice), "Asked for it");
  },
  /** Changes the price and the creator's earning of later sales. */
  async changeTerms(scenario: Scenario, { choice }: Step) {
    await changeTerms(scenario.adminId, 3500 + 100 * choice, 70 + choice);
  },
  publish: (scenario: Scenario, { choice }: Step) => scenario.publish(choice),
  async days(scenario: Scenario, { choice, other }: Step) {
    await advanceDays(1 + (choice % 8));
    await rollUpEarnings();
    await scenario.publish(other);
  },
};

/** Changes part of a payment at the provider and delivers the event. */
async function changePayment(
  scenario: Scenario,
  { choice, share }: Step,
  change: (sessionId: string, cents: number) => Promise<void>,
): Promise<void> {
  if (scenario.purchases.length === 0) return;
  const { sessionId, paymentId } = pick(scenario.purchases, choice);
  const session = await stripeGateway.readCheckout(sessionId);
  await change(sessionId, Math.ceil(((session?.amountCents ?? 0) * share) / 8));
  await syncPayment({ provider: "stripe", paymentId: paymentId });
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
    { weight: 3, arbitrary: fc.constantFrom("payout", "startPayout", "days") },
    { weight: 2, arbitrary: fc.constantFrom("exportPayout", "withdrawExport") },
    { weight: 2, arbitrary: fc.constantFrom("enterResults", "voidCard") },
    { weight: 2, arbitrary: fc.constantFrom("review", "publish", "closeAccount", "changeTerms") },
  ) as fc.Arbitrary<keyof typeof STEPS>,
  choice,
  other: choice,
  share: fc.integer({ min: 1, max: 8 }),
});

const RUNS = Number(process.env.MONEY_HISTORIES ?? 6);

it("satisfies every invariant in generated histories of purchases, refunds, disputes and payouts", {
  timeout: 60_000 + RUNS * 60_000,
  retry: 0,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      const scenario = await Scenario.create();
      for (const step of steps) {
        await STEPS[step.do](scenario, step);
        await expectInvariantsToHold();
        await expectFrozenWhileDisputed();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

const ONE: Omit<Step, "do"> = { choice: 0, other: 0, share: 1 };

/** A history in which five buyers' earnings of one creator are in a payout. */
async function createScenarioWithPayout(): Promise<Scenario> {
  const scenario = await Scenario.create();
  for (let buyer = 0; buyer < 5; buyer += 1) {
    scenario.buyers[buyer] ??= (await makeUser()).id;
    await STEPS.purchase(scenario, { do: "purchase", choice: buyer, other: 0, share: 8 });
    await STEPS.unlock(scenario, { do: "unlock", choice: buyer, other: 0, share: 8 });
  }
  // The race card goes off sale during these 14 days.
  await advanceDays(15);
  await STEPS.payout(scenario, { do: "payout", ...ONE });
  return scenario;
}

/** Returns the number of a creator's earnings by amount, payout and reversal. */
async function listEarnings(creatorId: string | undefined) {
  const { rows } = await database().execute<{ earning: string }>(sql`
    select e.amount_cents || case when e.payout_id is not null then ' in payout' else '' end
      || coalesce(' held: ' || e.held_reason, '') || coalesce(' reversed: ' || r.reason, '') as earning
    from earnings e left join earning_reversals r using (sale_id)
    where e.creator_id = ${creatorId} order by e.sale_id`);
  return rows.map((row) => row.earning);
}

/** Histories by name: each step with the expected earnings after it. */
const PAYOUT_HISTORIES: Record<string, [keyof typeof STEPS, Partial<Step>, string[]][]> = {
  "in no payment file": [
    ["enterResults", { share: 3 }, Array(5).fill("700")],
    ["dispute", { share: 8 }, ["700 held: dispute", ...Array(4).fill("700")]],
    ["loseDispute", { share: 8 }, ["700 reversed: lost", ...Array(4).fill("700")]],
    ["winDispute", { share: 8 }, Array(5).fill("700")],
  ],
  "disputed before": [
    ["dispute", { share: 8 }, ["2800 held: dispute", ...Array(4).fill("2800 in payout")]],
    ["enterResults", { share: 3 }, ["700 held: dispute", ...Array(4).fill("700")]],
  ],
  "in a payment file that was withdrawn": [
    ["startPayout", {}, Array(5).fill("2800 in payout")],
    ["exportPayout", {}, Array(5).fill("2800 in payout")],
    ["dispute", { share: 8 }, Array(5).fill("2800 in payout")],
    ["voidCard", {}, Array(5).fill("2800 in payout")],
    [
      "withdrawExport",
      {},
      // The dispute could no longer take it, because its coins had been returned.
      ["2800 held: late-hold reversed: void", ...Array(4).fill("2800 reversed: void")],
    ],
    // Two of the three races were run after all.
    ["enterResults", { share: 3, other: 2 }, ["1400 held: late-hold", ...Array(4).fill("1400")]],
    ["winDispute", { share: 8 }, ["1400 held: late-hold", ...Array(4).fill("1400")]],
  ],
};

it.each(Object.entries(PAYOUT_HISTORIES))(
  "adjusts an earning for races that became void while it was in a payout that was %s",
  async (_, history) => {
    const scenario = await createScenarioWithPayout();
    for (const [name, params, expected] of history) {
      await STEPS[name](scenario, { do: name, ...ONE, ...params });
      expect(await listEarnings(scenario.creators[0]), name).toEqual(expected);
      await expectInvariantsToHold();
    }
  },
);

it("changes each earning by its own amount after a change of the terms", {
  timeout: 60_000,
}, async () => {
  const scenario = await Scenario.create();
  const run = (name: keyof typeof STEPS, step: Partial<Step>) =>
    STEPS[name](scenario, { do: name, ...ONE, ...step });
  await run("purchase", { choice: 0 });
  await run("unlock", { choice: 0, other: 0 });
  await run("changeTerms", { choice: 0 });
  await advanceDays(2);
  await scenario.publish(0);
  await run("purchase", { choice: 1 });
  await run("unlock", { choice: 1, other: scenario.cards.length - 1 });
  const expectEach = async (name: keyof typeof STEPS, expected: string[]) => {
    const cards = [0, scenario.cards.length - 1];
    for (const [index, card] of cards.entries()) {
      const choice = name === "enterResults" ? card : index;
      await run(name, { choice, share: name === "enterResults" ? 3 : 8 });
    }
    expect(await listEarnings(scenario.creators[0]), name).toEqual(expected);
    await rollUpEarnings();
    await expectInvariantsToHold();
  };
  expect(await listEarnings(scenario.creators[0])).toEqual(["2800", "2450"]);
  await expectEach("refund", ["2800 reversed: lost", "2450 reversed: lost"]);
  await expectEach("failRefund", ["2800", "2450"]);
  // Two of three races are void: three coins are returned.
  await expectEach("enterResults", ["700", "613"]);
  await expectEach("dispute", ["700 held: dispute", "613 held: dispute"]);
  await expectEach("loseDispute", ["700 reversed: lost", "613 reversed: lost"]);
  await expectEach("winDispute", ["700", "613"]);
});
