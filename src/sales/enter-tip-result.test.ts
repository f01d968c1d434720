import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { findCreator, readCreatorNotices } from "#creators/creators.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { readEarningsSummary } from "#payouts/payouts.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import { readResultEntries } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { enterTipResult } from "./enter-tip-result.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

const RACE_DATE = "2026-11-21";
const MORNING = instantAt(RACE_DATE, "08:00");
const EVENING = instantAt(RACE_DATE, "19:00");
const reason = "Stewards' inquiry";

let admin: Person;
beforeEach(async () => {
  freezeClock(MORNING);
  admin = await makeAdmin();
});
afterEach(async () => {
  await drain();
  await expectInvariantsToHold();
  freezeClock(null);
});

const drain = () => drainQueue([returnCoins]);

async function createOpenedRaceCard({ races = [1, 2], buyers = 2 } = {}) {
  const raceCard = await publishRaceCard({ raceDate: RACE_DATE, races });
  const punters: Person[] = [];
  for (let index = 0; index < buyers; index += 1) {
    const punter = await makeUser({ coins: 10 });
    await unlockRaceCardAs(punter.id, raceCard);
    punters.push(punter);
  }
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCard.raceCardId],
  );
  return { ...raceCard, punters, tipIds: rows.map((row) => row.id) };
}

async function readResult(tipId: string | undefined) {
  const { rows } = await pool().query("select result from tips where id = $1", [tipId]);
  return rows[0]?.result;
}

async function balances(punters: Person[]) {
  return await Promise.all(
    punters.map(async (punter) => (await readWallet(punter.id)).balanceCoins),
  );
}

describe("enterTipResult", () => {
  it("saves the result, updates the record and writes the admin and the reason", async () => {
    const { tipIds, creatorId } = await createOpenedRaceCard();
    const [tipId = ""] = tipIds;
    freezeClock(EVENING);
    expect(await enterTipResultAsTwo(admin.id, { tipId, result: "won", reason })).toMatchObject({
      ok: true,
      previous: null,
      isCardVoid: false,
    });
    expect((await findCreator(creatorId))?.record).toMatchObject({ settled: 1, won: 1 });
    await enterTipResultAsTwo(admin.id, { tipId, result: "lost", reason: "Objection upheld" });
    expect((await findCreator(creatorId))?.record).toMatchObject({ settled: 1, won: 0 });
    expect(await readResultEntries(tipId)).toMatchObject([
      { result: "lost", actorId: admin.id, reason: "Objection upheld" },
      { result: "won", actorId: admin.id, reason },
    ]);
    const { entries } = await readAudit({ action: "correct-result", subject: tipId });
    expect(entries).toHaveLength(2);
  });

  it("notifies the tipster once that a claim was confirmed", async () => {
    const { tipIds, creatorId, venue } = await createOpenedRaceCard();
    const [tipId = ""] = tipIds;
    freezeClock(EVENING);
    await markResult(creatorId, { tipId, result: "won" });
    for (const wasClaim of [true, false])
      expect(await enterTipResultAsTwo(admin.id, { tipId, result: "won", reason })).toMatchObject({
        ok: true,
        previous: "won",
        wasClaim,
      });
    expect(await readCreatorNotices(creatorId, { since: new Date(0), limit: 20 })).toMatchObject([
      {
        title: "A result was confirmed",
        message: expect.stringMatching(
          new RegExp(`^we confirmed the result of your tip for .*${venue.name}.*: won\\.$`),
        ),
        reason,
      },
    ]);
  });

  it("notifies the tipster that a claim was corrected", async () => {
    const { tipIds, creatorId } = await createOpenedRaceCard();
    const [tipId = ""] = tipIds;
    freezeClock(EVENING);
    await markResult(creatorId, { tipId, result: "won" });
    await enterTipResultAsTwo(admin.id, { tipId, result: "lost", reason });
    expect(await readCreatorNotices(creatorId, { since: new Date(0), limit: 20 })).toMatchObject([
      { title: "A result was corrected", message: expect.stringContaining("from won to lost.") },
    ]);
  });

  it("returns coins for each void race, and all when the last remaining race is void", async () => {
    const { tipIds, punters, creatorId } = await createOpenedRaceCard();
    const [first = "", second = ""] = tipIds;
    await enterTipResultAsTwo(admin.id, { tipId: first, result: "void", reason });
    await drain();
    expect(await balances(punters)).toEqual([8, 8]);
    expect(await readEarningsSummary(creatorId)).toMatchObject({ totalCents: 2800, sales: 2 });
    expect(
      await enterTipResultAsTwo(admin.id, { tipId: second, result: "void", reason }),
    ).toMatchObject({
      isCardVoid: true,
    });
    await drain();
    expect(await balances(punters)).toEqual([10, 10]);
    expect(await readEarningsSummary(creatorId)).toMatchObject({ totalCents: 0 });
  });

  it("does not promise the whole price when a sold race is hidden and not void", async () => {
    const { tipIds, punters, creatorId } = await createOpenedRaceCard();
    const [first = "", second = ""] = tipIds;
    await hideTip(admin.id, first);
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    await enterTipResult((await makeAdmin("Themba Ndlovu")).id, {
      ...{ tipId: second, result: "void", reason },
    });
    const path = `/admin/tips/${second}/result`;
    const fields = { result: "void", reason };
    expect(await readVisibleText(await browser.post(path, fields))).toContain(
      "1 tip changes. 4 coins go back to buyers, for 2 sales. The tipster earns R28.00 less.",
    );
    const response = await browser.post(path, { ...fields, confirmed: "yes" });
    const text = await readVisibleText(response);
    expect(text).toContain("All visible tips on this race card are now void.");
    expect(text).toContain("Its buyers get back the coins that are due.");
    expect(text).not.toContain("4 coins");
    const [notice] = await readCreatorNotices(creatorId, { since: new Date(0) });
    expect(notice?.message).toContain("Every visible race on the race card is now void.");
    expect(notice?.message).toContain("get back the coins that are due");
    await drain();
    expect(await balances(punters)).toEqual([8, 8]);
  });

  it("refuses before the off, without a reason and for an unknown tip", async () => {
    const { tipIds } = await createOpenedRaceCard();
    const [tipId = ""] = tipIds;
    expect(await enterTipResultAsTwo(admin.id, { tipId, result: "won", reason })).toEqual({
      ok: false,
      refusal: "too-early",
    });
    expect(await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: " " })).toEqual({
      ok: false,
      refusal: "reason-missing",
    });
    expect(
      await enterTipResultAsTwo(admin.id, { tipId: randomUUID(), result: "void", reason }),
    ).toEqual({
      ok: false,
      refusal: "no-such-tip",
    });
    expect(await readResult(tipId)).toBeNull();
  });

  it("saves a repeated result once and refunds once", async () => {
    const { tipIds, punters } = await createOpenedRaceCard({ races: [1] });
    const [tipId = ""] = tipIds;
    await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason });
    await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason });
    await drain();
    expect(await balances(punters)).toEqual([10, 10]);
    expect(await readResultEntries(tipId)).toHaveLength(1);
  });

  it("refunds once when two admins void the last two races together", async () => {
    const otherAdmin = await makeAdmin("Themba Ndlovu");
    const { tipIds, punters } = await createOpenedRaceCard();
    const [first = "", second = ""] = tipIds;
    const results = await Promise.all([
      enterTipResultAsTwo(admin.id, { tipId: first, result: "void", reason }),
      enterTipResultAsTwo(otherAdmin.id, { tipId: second, result: "void", reason }),
    ]);
    expect(results.map((result) => "isCardVoid" in result && result.isCardVoid).sort()).toEqual([
      false,
      true,
    ]);
    await drain();
    expect(await balances(punters)).toEqual([10, 10]);
  });
});

describe("voidRaceCard", () => {
  it("voids every race, hidden ones included, and refunds every buyer", async () => {
    const { raceCardId, tipIds, punters, creatorId } = await createOpenedRaceCard({
      races: [1, 2, 3],
    });
    await hideTip(admin.id, tipIds[1] ?? "");
    expect(await voidRaceCardAsTwo(admin.id, { raceCardId, reason })).toMatchObject({
      ok: true,
      voided: 3,
    });
    await drain();
    expect(await Promise.all(tipIds.map(readResult))).toEqual(["void", "void", "void"]);
    expect(await balances(punters)).toEqual([10, 10]);
    expect(await readEarningsSummary(creatorId)).toMatchObject({ totalCents: 0 });
    expect((await findCreator(creatorId))?.record).toEqual({ tips: 0, settled: 0, won: 0 });
    expect(
      (await readAudit({ action: "correct-result", subject: tipIds[2] })).entries,
    ).toMatchObject([{ actorId: admin.id, details: { to: "void", reason } }]);
  });

  it("takes the race card off sale", async () => {
    const { raceCardId } = await createOpenedRaceCard();
    await voidRaceCardAsTwo(admin.id, { raceCardId, reason });
    const lateBuyer = await makeUser({ coins: 4 });
    expect(await unlockRaceCardAs(lateBuyer.id, { raceCardId })).toMatchObject({
      ok: false,
      refusal: "not-on-sale",
    });
  });

  it("refuses without a reason and for an unknown race card", async () => {
    const { raceCardId, tipIds } = await createOpenedRaceCard();
    expect(await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "" })).toEqual({
      ok: false,
      refusal: "reason-missing",
    });
    for (const unknownId of [randomUUID(), "nothing"])
      expect(await voidRaceCardAsTwo(admin.id, { raceCardId: unknownId, reason })).toEqual({
        ok: false,
        refusal: "race-card-not-found",
      });
    expect(await readResult(tipIds[0])).toBeNull();
  });

  it("is idempotent", async () => {
    const { raceCardId, tipIds, punters } = await createOpenedRaceCard();
    await voidRaceCardAsTwo(admin.id, { raceCardId, reason });
    expect(await voidRaceCardAsTwo(admin.id, { raceCardId, reason })).toMatchObject({
      ok: true,
      voided: 0,
    });
    await drain();
    expect(await balances(punters)).toEqual([10, 10]);
    expect(await readResultEntries(...tipIds)).toHaveLength(2);
  });

  it("refunds once and does not deadlock when several admins void while the tipster marks results", async () => {
    for (let round = 0; round < 4; round += 1) {
      freezeClock(MORNING);
      const raceCard = await createOpenedRaceCard({ races: [1, 2, 3, 4, 5, 6, 7, 8], buyers: 1 });
      const { raceCardId, tipIds, punters, creatorId } = raceCard;
      freezeClock(EVENING);
      await Promise.all([
        voidRaceCardAsTwo(admin.id, { raceCardId, reason }),
        ...tipIds.toReversed().map((tipId) => markResult(creatorId, { tipId, result: "won" })),
        voidRaceCardAsTwo(admin.id, { raceCardId, reason }),
      ]);
      await drain();
      expect(new Set(await Promise.all(tipIds.map(readResult)))).toEqual(new Set(["void"]));
      expect(await balances(punters)).toEqual([10]);
    }
  });
});
