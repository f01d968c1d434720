import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import {
  exportForBank,
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
  withdrawShownExport,
} from "#test/factories.ts";
import { expectInvariantsToHold, listViolations } from "#test/integrity-checks.ts";
import { markGuestDeal } from "#wallet/wallet.server.ts";
import { requestPayout } from "./create-payout.server.ts";
import { releaseEarnings } from "./hold-earnings.server.ts";
import { holdGuestDeals, holdGuestDealsJob } from "./hold-guest-deals.server.ts";
import { countReviews, listHeldEarnings } from "./list-held-earnings.server.ts";
import { readPayouts } from "./list-payouts.server.ts";
import { releaseEarning, reverseHeldEarning } from "./review-earning.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";
import { startPayout } from "./start-payout.server.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => freezeClock(instantAt("2026-11-02", "08:00")));
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

function later(ms: number): void {
  freezeClock(new Date(now().getTime() + ms));
}

async function makeCreator() {
  const { id } = await makeTipster();
  await writeBankDetails(id, {
    holder: "S. Dube",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  });
  return id;
}

/** Sells a race card of a creator to new buyers: guest deals first, then buyers without welcome coins. */
async function sell(
  creatorId: string,
  { deals, others = 0, venue }: { deals: number; others?: number; venue?: string },
) {
  const { raceCardId } = await publishRaceCard({ creatorId, venue });
  const buyers: string[] = [];
  for (let index = 0; index < deals + others; index += 1) {
    const { id } = await makeUser({ coins: 8 });
    if (index < deals) await transaction((tx) => markGuestDeal(tx, id));
    await unlockRaceCardAs(id, { raceCardId });
    buyers.push(id);
  }
  return { raceCardId, buyers };
}

const hold = (creatorId: string) => transaction((tx) => holdGuestDeals(tx, creatorId));

async function listHeld(creatorId: string) {
  const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 100 });
  return earnings.filter((earning) => earning.creatorId === creatorId);
}

describe("guest deals of one creator", () => {
  it.each([
    ["are held when they are five of nine sales", { deals: 5, others: 4 }, 5],
    ["are not held when they are five of ten sales", { deals: 5, others: 5 }, 0],
    ["are not held when they are four of four sales", { deals: 4 }, 0],
  ])("%s", async (_, sales, held) => {
    const creatorId = await makeCreator();
    await sell(creatorId, sales);
    const other = await makeCreator();
    await sell(other, { deals: 1 });
    const before = await countReviews();
    await hold(creatorId);
    expect(await listHeld(creatorId)).toHaveLength(held);
    expect(await listHeld(other)).toEqual([]);
    expect(await countReviews()).toBe(before + held);
  });

  it("are the first sales of their buyers", async () => {
    const creatorId = await makeCreator();
    const elsewhere = await publishRaceCard();
    const { buyers } = await sell(creatorId, { deals: 5 });
    const { raceCardId } = await publishRaceCard({ creatorId, venue: "greyville" });
    const later = await makeUser({ coins: 8 });
    await transaction((tx) => markGuestDeal(tx, later.id));
    await unlockRaceCardAs(later.id, elsewhere);
    await unlockRaceCardAs(later.id, { raceCardId });
    await hold(creatorId);
    const held = await listHeld(creatorId);
    expect(held.map((earning) => earning.buyerId).sort()).toEqual(buyers.toSorted());
    expect(new Set(held.map((earning) => earning.heldReason))).toEqual(
      new Set(["guest-deal-share"]),
    );
  });

  it.each([
    ["are held when they are a millisecond less than 30 days apart", 30 * DAY_MS - 1, 5],
    ["are not held when they are 30 days apart", 30 * DAY_MS, 0],
  ])("%s", async (_, ms, held) => {
    const creatorId = await makeCreator();
    await sell(creatorId, { deals: 4 });
    later(ms);
    await sell(creatorId, { deals: 1 });
    await hold(creatorId);
    expect(await listHeld(creatorId)).toHaveLength(held);
  });

  it("are held once when the job runs twice or concurrently", async () => {
    const creatorId = await makeCreator();
    const { raceCardId } = await sell(creatorId, { deals: 5 });
    await Promise.all(
      [1, 2, 3].map(() => holdGuestDealsJob.run({ raceCardId }, { isLast: false })),
    );
    const held = await listHeld(creatorId);
    expect(held).toHaveLength(5);
    later(DAY_MS);
    await holdGuestDealsJob.run({ raceCardId }, { isLast: false });
    expect(await listHeld(creatorId)).toEqual(held);
  });

  it("are not held again after a release; the next one is", async () => {
    const admin = await makeAdmin();
    const creatorId = await makeCreator();
    await sell(creatorId, { deals: 5 });
    await hold(creatorId);
    const [reversed, ...released] = await listHeld(creatorId);
    await reverseHeldEarning(admin.id, reversed?.saleId ?? 0, "Same household");
    for (const { saleId } of released) await releaseEarning(admin.id, saleId);
    await hold(creatorId);
    expect(await listHeld(creatorId)).toEqual([]);
    const { buyers } = await sell(creatorId, { deals: 1, venue: "greyville" });
    await hold(creatorId);
    expect((await listHeld(creatorId)).map((earning) => earning.buyerId)).toEqual(buyers);
  });

  it("are held again after a dispute", async () => {
    const creatorId = await makeCreator();
    const { buyers } = await sell(creatorId, { deals: 5 });
    const [buyerId = ""] = buyers;
    await holdEarningsOfBuyer(buyerId, "dispute");
    await hold(creatorId);
    expect(await listHeld(creatorId)).toHaveLength(4);
    await transaction((tx) => releaseEarnings(tx, { buyerId, reason: "dispute" }));
    later(15 * DAY_MS);
    expect(await requestPayout(creatorId)).toMatchObject({ refusal: "below-minimum" });
    expect(await listHeld(creatorId)).toHaveLength(5);
  });
});

describe("a payout", () => {
  it("contains no guest deals whose share has risen without a sale", async () => {
    const creatorId = await makeCreator();
    await sell(creatorId, { deals: 0, others: 6 });
    later(15 * DAY_MS);
    await sell(creatorId, { deals: 6 });
    await hold(creatorId);
    expect(await listHeld(creatorId)).toEqual([]);
    later(15 * DAY_MS);
    expect(await requestPayout(creatorId)).toMatchObject({ ok: true, amountCents: 6 * 2800 });
    expect(await listHeld(creatorId)).toHaveLength(6);
  });

  it("loses them when the fifth is sold before it is exported", async () => {
    const creatorId = await makeCreator();
    await sell(creatorId, { deals: 4, others: 4 });
    later(15 * DAY_MS);
    expect(await requestPayout(creatorId)).toMatchObject({ ok: true, amountCents: 8 * 2800 });
    later(1);
    const { raceCardId } = await sell(creatorId, { deals: 1 });
    await holdGuestDealsJob.run({ raceCardId }, { isLast: false });
    expect((await readPayouts({ creatorId })).payouts).toMatchObject([
      { status: "requested", amountCents: 4 * 2800 },
    ]);
    expect(await listHeld(creatorId)).toHaveLength(5);
  });

  it("keeps them while it is in a payment file, and loses them when the file is withdrawn", async () => {
    const admin = await makeAdmin();
    const creatorId = await makeCreator();
    await sell(creatorId, { deals: 4 });
    later(15 * DAY_MS);
    const requested = await requestPayout(creatorId);
    if (!requested.ok) throw new Error(requested.refusal);
    await startPayout(admin.id, requested.payoutId);
    await exportForBank(admin.id, requested.payoutId);
    later(1);
    await sell(creatorId, { deals: 1 });
    await hold(creatorId);
    expect((await readPayouts({ creatorId })).payouts).toMatchObject([
      { status: "processing", amountCents: 4 * 2800 },
    ]);
    expect(await listHeld(creatorId)).toHaveLength(1);
    await withdrawShownExport(admin.id, requested.payoutId, "Rejected by the bank");
    expect((await readPayouts({ creatorId })).payouts).toMatchObject([{ status: "stopped" }]);
    expect(await listHeld(creatorId)).toHaveLength(5);
  });

  it("is reported by the invariants when it contains guest deals without a review", async () => {
    const creatorId = await makeCreator();
    await sell(creatorId, { deals: 5 });
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    try {
      const pay = (condition: string) => [
        `with payout as (insert into payouts (creator_id, amount_cents, status, requested_at)
           values ('${creatorId}', 14000, 'requested', '${now().toISOString()}') returning id)
         update earnings e set payout_id = payout.id, reviewed_at = ${condition} from payout
         where e.creator_id = '${creatorId}'`,
      ];
      const check = (condition: string) =>
        listViolations(client, () => pay(condition), ["34-guest-deals-are-reviewed"]);
      for (const reported of await check("null"))
        expect(reported).toEqual(["34-guest-deals-are-reviewed"]);
      for (const reported of await check("now()")) expect(reported).toEqual([]);
    } finally {
      await client.end();
    }
  });
});
