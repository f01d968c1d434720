import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grantRole } from "#accounts/accounts.server.ts";
import { readCreatorNotices } from "#creators/creators.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import {
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { markGuestDeal, readWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import { requestPayout } from "./create-payout.server.ts";
import { readEarningsSummary } from "./earnings.server.ts";
import { countReviews, listHeldEarnings } from "./list-held-earnings.server.ts";
import { releaseEarning, reverseHeldEarning } from "./review-earning.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";

let admin: Person;
beforeEach(async () => {
  freezeClock(instantAt("2026-11-02", "08:00"));
  admin = await makeAdmin();
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

/** Creates a sale held for review: a guest-deal buyer opens a second race card of one creator. */
async function createHeldSale() {
  const creator = await makeTipster();
  const buyer = await makeUser({ coins: 20 });
  await transaction((tx) => markGuestDeal(tx, buyer.id));
  for (const venue of ["kenilworth", "greyville"]) {
    const { raceCardId } = await publishRaceCard({ creatorId: creator.id, venue });
    await unlockRaceCardAs(buyer.id, { raceCardId });
  }
  const held = (await listHeldEarnings({ heldFor: "review", limit: 100 })).earnings.find(
    (earning) => earning.buyerId === buyer.id,
  );
  if (!held) throw new Error("nothing is held");
  return { creator, buyer, saleId: held.saleId };
}

async function isHeld(saleId: number): Promise<boolean> {
  const { earnings } = await listHeldEarnings({ limit: 100 });
  return earnings.some((earning) => earning.saleId === saleId);
}

const listAuditActions = async (saleId: number) =>
  (await readAudit({ subject: `sale:${saleId}` })).entries.map((entry) => entry.action);

describe("the second sale of a welcome-coin buyer", () => {
  it("appears in the list and the count of reviews", async () => {
    const before = await countReviews();
    const { saleId, creator, buyer } = await createHeldSale();
    expect(await countReviews()).toBe(before + 1);
    const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 1 });
    expect(earnings).toMatchObject([
      { saleId, creatorId: creator.id, buyerId: buyer.id, amountCents: 2800, heldFor: "review" },
    ]);
  });

  it("comes after older ones in the list, once across pages", async () => {
    const created = [(await createHeldSale()).saleId, (await createHeldSale()).saleId];
    const listed: number[] = [];
    for (let afterSaleId: number | null = 0; afterSaleId !== null; ) {
      const page: Awaited<ReturnType<typeof listHeldEarnings>> = await listHeldEarnings({
        ...{ heldFor: "review", afterSaleId, limit: 1 },
      });
      listed.push(...page.earnings.map(({ saleId }) => saleId));
      afterSaleId = page.next;
    }
    expect(listed).toHaveLength(await countReviews());
    expect(listed.slice(-2)).toEqual(created);
  });

  it("counts towards the next payout after it is released", async () => {
    const { saleId, creator } = await createHeldSale();
    expect(await readEarningsSummary(creator.id)).toMatchObject({ heldCents: 2800 });
    expect(await releaseEarning(admin.id, saleId)).toEqual({ ok: true });
    expect(await isHeld(saleId)).toBe(false);
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      heldCents: 0,
      pendingCents: 5600,
    });
    expect(await listAuditActions(saleId)).toEqual(["release-earning"]);
  });

  it("is reviewed by another admin than its own creator", async () => {
    const { saleId, creator } = await createHeldSale();
    await transaction((tx) => grantRole(tx, { userId: creator.id, role: "admin", actorId: null }));
    const refused = { ok: false, refusal: "yourself" };
    expect(await releaseEarning(creator.id, saleId)).toEqual(refused);
    expect(await reverseHeldEarning(creator.id, saleId, "Mine")).toEqual(refused);
    expect(await isHeld(saleId)).toBe(true);
    expect(await releaseEarning(admin.id, saleId)).toEqual({ ok: true });
  });

  it("pays the creator nothing after a reversal and returns no coins to the buyer", async () => {
    const { saleId, creator, buyer } = await createHeldSale();
    expect(await reverseHeldEarning(admin.id, saleId, "Same household")).toEqual({ ok: true });
    expect(await isHeld(saleId)).toBe(false);
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      totalCents: 2800,
      heldCents: 0,
      reversedCents: 2800,
    });
    expect(await readWallet(buyer.id)).toMatchObject({ balanceCoins: 12 });
    expect((await readAudit({ subject: `sale:${saleId}` })).entries).toMatchObject([
      { action: "reverse-earning", actorId: admin.id, details: { reason: "Same household" } },
    ]);
  });

  it("notifies the creator once of a reversal, with the reason, and not of a release", async () => {
    const { saleId, creator } = await createHeldSale();
    await Promise.all([
      reverseHeldEarning(admin.id, saleId, "Same household"),
      reverseHeldEarning(admin.id, saleId, "Same household"),
    ]);
    const since = new Date(0);
    expect(await readCreatorNotices(creator.id, { since })).toMatchObject([
      { title: "R28.00 of your earnings was reversed", reason: "Same household" },
    ]);
    const other = await createHeldSale();
    await releaseEarning(admin.id, other.saleId);
    expect(await readCreatorNotices(other.creator.id, { since })).toEqual([]);
  });

  it("refuses unknown sales, missing reasons, opposite decisions and open disputes", async () => {
    expect(await releaseEarning(admin.id, 999_999_999)).toEqual({
      ok: false,
      refusal: "no-such-sale",
    });
    const first = await createHeldSale();
    expect(await reverseHeldEarning(admin.id, first.saleId, " ")).toEqual({
      ok: false,
      refusal: "reason-missing",
    });
    await releaseEarning(admin.id, first.saleId);
    expect(await reverseHeldEarning(admin.id, first.saleId, "Late")).toEqual({
      ok: false,
      refusal: "already-released",
    });
    const second = await createHeldSale();
    await reverseHeldEarning(admin.id, second.saleId, "Same household");
    expect(await releaseEarning(admin.id, second.saleId)).toEqual({
      ok: false,
      refusal: "already-reversed",
    });
    const third = await createHeldSale();
    await transaction((tx) => setWalletFrozen(tx, third.buyer.id, true));
    expect(await releaseEarning(admin.id, third.saleId)).toEqual({
      ok: false,
      refusal: "disputed",
    });
    expect(await isHeld(third.saleId)).toBe(true);
  });

  it("cannot be reviewed while a dispute holds it", async () => {
    const creator = await makeTipster();
    const buyer = await makeUser({ coins: 4 });
    const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
    await unlockRaceCardAs(buyer.id, { raceCardId });
    await holdEarningsOfBuyer(buyer.id);
    const { earnings } = await listHeldEarnings({ heldFor: "dispute", limit: 100 });
    const held = earnings.find((earning) => earning.buyerId === buyer.id);
    expect(await releaseEarning(admin.id, held?.saleId ?? 0)).toEqual({
      ok: false,
      refusal: "disputed",
    });
    expect(await reverseHeldEarning(admin.id, held?.saleId ?? 0, "No")).toEqual({
      ok: false,
      refusal: "disputed",
    });
  });

  it("applies a repeated decision once", async () => {
    const released = await createHeldSale();
    await releaseEarning(admin.id, released.saleId);
    expect(await releaseEarning(admin.id, released.saleId)).toEqual({ ok: true });
    expect(await listAuditActions(released.saleId)).toHaveLength(1);
    const reversed = await createHeldSale();
    await reverseHeldEarning(admin.id, reversed.saleId, "Same household");
    expect(await reverseHeldEarning(admin.id, reversed.saleId, "Same household")).toEqual({
      ok: true,
    });
    expect(await listAuditActions(reversed.saleId)).toHaveLength(1);
    expect(await readEarningsSummary(reversed.creator.id)).toMatchObject({ reversedCents: 2800 });
  });

  it("applies one decision when a release and a reversal arrive together", async () => {
    const { saleId, creator } = await createHeldSale();
    await writeBankDetails(creator.id, {
      holder: "S. Dube",
      bank: "Capitec",
      branchCode: "470010",
      accountNumber: "1234567890",
      accountType: "savings",
    });
    const results = await Promise.all([
      releaseEarning(admin.id, saleId),
      reverseHeldEarning(admin.id, saleId, "Same household"),
      releaseEarning(admin.id, saleId),
      reverseHeldEarning(admin.id, saleId, "Same household"),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(2);
    expect(await listAuditActions(saleId)).toHaveLength(1);
    const isReleased = results[0]?.ok;
    freezeClock(new Date(now().getTime() + 15 * 24 * 60 * 60 * 1000));
    expect(await requestPayout(creator.id)).toMatchObject({
      ok: false,
      payableCents: isReleased ? 5600 : 2800,
    });
  });
});
