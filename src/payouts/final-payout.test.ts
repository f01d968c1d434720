import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reinstateCreator, suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { closeUserAccount } from "#site/profile/close-user-account.server.ts";
import {
  exportForBank,
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  markShownPayoutPaid,
  publishRaceCard,
  reverseEarningsOfBuyer,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { createPayout, requestPayout } from "./create-payout.server.ts";
import { readEarningsSummary } from "./earnings.server.ts";
import { listDuePayouts } from "./list-due-payouts.server.ts";
import { readPayouts } from "./list-payouts.server.ts";
import { payDayRun } from "./pay-day-run.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";
import { startPayout } from "./start-payout.server.ts";

const DETAILS = {
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234567890",
  accountType: "savings" as const,
};

let adminId: string;

beforeEach(async () => {
  freezeClock(instantAt("2026-10-20", "08:00"));
  adminId = (await makeAdmin()).id;
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const run = () => payDayRun.run({}, { isLast: false });

function later(days: number): void {
  freezeClock(new Date(now().getTime() + days * 24 * 60 * 60 * 1000));
}

async function sell(creatorId: string, sales: number): Promise<string[]> {
  const { raceCardId } = await publishRaceCard({ creatorId });
  const buyers: string[] = [];
  for (let index = 0; index < sales; index += 1) {
    const { id } = await makeUser({ coins: 4 });
    await unlockRaceCardAs(id, { raceCardId });
    buyers.push(id);
  }
  return buyers;
}

/** Creates a suspended tipster with sales as of now, R28 each. */
async function makeSuspended(sales: number) {
  const creator = await makeTipster();
  await writeBankDetails(creator.id, DETAILS);
  const buyers = await sell(creator.id, sales);
  expect(await suspendCreator(adminId, creator.id, "Leaves")).toEqual({ ok: true });
  return { id: creator.id, buyers };
}

async function listPayouts(creatorId: string) {
  return (await readPayouts({ creatorId })).payouts;
}

async function readEmails(userId: string, kind: string) {
  const { rows } = await pool().query<{ subject: string; text: string }>(
    "select subject, text from emails where user_id = $1 and kind = $2 order by created_at, id",
    [userId, kind],
  );
  return rows;
}

/** Resolves when a connection to the test database waits for a lock. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const { rows } = await pool().query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows[0].waiting > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function payOut(creatorId: string): Promise<void> {
  const [payout] = await listPayouts(creatorId);
  const payoutId = payout?.id ?? "";
  expect(await startPayout(adminId, payoutId)).toEqual({ ok: true });
  await exportForBank(adminId, payoutId);
  expect(await markShownPayoutPaid(adminId, payoutId)).toMatchObject({ ok: true });
}

describe("a suspended tipster who is owed less than R100", () => {
  it("is paid without asking, and then the account can be closed", async () => {
    const { id } = await makeSuspended(3);
    later(14);
    expect(await closeUserAccount(adminId, id, "Asked")).toMatchObject({
      refusal: "has-unpaid-earnings",
    });
    await run();
    expect(await listPayouts(id)).toMatchObject([{ amountCents: 8400, status: "requested" }]);
    const [email] = await readEmails(id, "payout-requested");
    expect(email?.text).toContain("your account is suspended, so we pay any amount");
    expect(await closeUserAccount(adminId, id, "Asked")).toMatchObject({
      refusal: "has-unpaid-earnings",
    });
    await payOut(id);
    expect(await readEarningsSummary(id)).toMatchObject({ payableCents: 0, paidCents: 8400 });
    expect(await closeUserAccount(adminId, id, "Asked")).toMatchObject({ ok: true });
  });

  it("is paid once everything is payable, not in parts", async () => {
    const { id } = await makeSuspended(1);
    later(1);
    expect(await reinstateCreator(adminId, id)).toEqual({ ok: true });
    await sell(id, 2);
    await suspendCreator(adminId, id, "Leaves");
    later(13);
    expect(await readEarningsSummary(id)).toMatchObject({ payableCents: 2800 });
    await run();
    expect(await listPayouts(id)).toEqual([]);
    later(1);
    await run();
    expect(await listPayouts(id)).toMatchObject([{ amountCents: 8400 }]);
  });

  it("is paid one sale of R28, which an active tipster is not", async () => {
    const { id } = await makeSuspended(1);
    const active = await makeTipster();
    await writeBankDetails(active.id, DETAILS);
    await sell(active.id, 3);
    freezeClock(instantAt("2026-11-15", "05:30"));
    await run();
    expect(await listPayouts(id)).toMatchObject([{ amountCents: 2800 }]);
    expect(await listPayouts(active.id)).toEqual([]);
    expect(await requestPayout(active.id)).toMatchObject({
      refusal: "below-minimum",
      missingCents: 1600,
    });
  });

  it("is listed as due, an active one as carried forward", async () => {
    const before = await listDuePayouts({ limit: 100 });
    const { id } = await makeSuspended(1);
    const active = await makeTipster();
    await sell(active.id, 1);
    const after = await listDuePayouts({ limit: 100 });
    expect(after.due.map(({ creatorId }) => creatorId)).toContain(id);
    expect(after.due.map(({ creatorId }) => creatorId)).not.toContain(active.id);
    expect(after.dueCents - before.dueCents).toBe(2800);
    expect(after.carriedCents - before.carriedCents).toBe(2800);
    expect(await readEarningsSummary(id)).toMatchObject({ dueCents: 2800 });
    expect(await readEarningsSummary(active.id)).toMatchObject({ dueCents: 0 });
  });

  it("can request it, but not while nothing is payable or a payout is open", async () => {
    const { id } = await makeSuspended(2);
    expect(await requestPayout(id)).toEqual({ ok: false, refusal: "nothing-payable" });
    later(14);
    expect(await requestPayout(id)).toMatchObject({ ok: true, amountCents: 5600 });
    expect(await requestPayout(id)).toEqual({ ok: false, refusal: "payout-open" });
    await payOut(id);
    expect(await requestPayout(id)).toEqual({ ok: false, refusal: "nothing-payable" });
  });

  it("is asked for missing bank details once, and paid 72 hours after they are entered", async () => {
    const { id } = await makeSuspended(2);
    await pool().query("delete from bank_details where creator_id = $1", [id]);
    later(14);
    expect(await requestPayout(id)).toEqual({ ok: false, refusal: "no-bank-details" });
    await run();
    await run();
    expect(await readEmails(id, "bank-details-missing")).toHaveLength(1);
    await writeBankDetails(id, DETAILS);
    expect(await requestPayout(id)).toMatchObject({ refusal: "bank-details-new" });
    await run();
    expect(await listPayouts(id)).toEqual([]);
    later(3);
    await run();
    expect(await listPayouts(id)).toMatchObject([{ amountCents: 5600 }]);
  });

  it("is paid once when runs and requests arrive together", async () => {
    const { id } = await makeSuspended(2);
    later(14);
    await Promise.all([run(), requestPayout(id), run(), requestPayout(id)]);
    await run();
    expect(await listPayouts(id)).toMatchObject([{ amountCents: 5600 }]);
    expect(await readEmails(id, "payout-requested")).toHaveLength(1);
  });

  it("keeps a payout that was created before the suspension is lifted", async () => {
    const { id } = await makeSuspended(2);
    later(14);
    const created = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const payout = transaction(async (tx) => {
      const result = await createPayout(tx, {
        creatorId: id,
        payableBy: now(),
        payDay: null,
      });
      created.resolve();
      await commit.promise;
      return result;
    });
    await created.promise;
    const reinstated = reinstateCreator(adminId, id);
    // The end of the suspension waits for the payout.
    await waitForLock();
    commit.resolve();
    expect(await payout).toMatchObject({ ok: true, amountCents: 5600 });
    expect(await reinstated).toEqual({ ok: true });
    await payOut(id);
  });

  it("is refused below the minimum when the suspension is lifted first", async () => {
    const { id } = await makeSuspended(2);
    later(14);
    const { promise, resolve } = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lifted = transaction(async (tx) => {
      await tx.execute(`update creators set suspended_at = null where user_id = '${id}'`);
      locked.resolve();
      await promise;
    });
    await locked.promise;
    const requested = requestPayout(id);
    await waitForLock();
    resolve();
    await lifted;
    expect(await requested).toMatchObject({ refusal: "below-minimum", payableCents: 5600 });
    expect(await listPayouts(id)).toEqual([]);
  });

  it("is not paid an earning that is held and reversed at the same time", async () => {
    const { id, buyers } = await makeSuspended(3);
    later(14);
    const [buyerId = ""] = buyers;
    await Promise.all([
      requestPayout(id),
      holdEarningsOfBuyer(buyerId).then(() => reverseEarningsOfBuyer(buyerId)),
    ]);
    expect(await readEarningsSummary(id)).toMatchObject({
      inPayoutCents: 5600,
      reversedCents: 2800,
      payableCents: 0,
    });
  });

  it("keeps a payout that disputes reduce until nothing is left", async () => {
    const { id, buyers } = await makeSuspended(2);
    later(14);
    await requestPayout(id);
    await holdEarningsOfBuyer(buyers[0] ?? "");
    expect(await listPayouts(id)).toMatchObject([{ amountCents: 2800, status: "requested" }]);
    await holdEarningsOfBuyer(buyers[1] ?? "");
    const [payout] = await listPayouts(id);
    expect(payout).toMatchObject({ status: "stopped" });
    const { rows: alerts } = await pool().query<{ message: string }>(
      "select message from alerts where kind = 'payout-stopped' and subject = $1",
      [payout?.id],
    );
    expect(alerts).toMatchObject([{ message: expect.stringContaining("and nothing is left") }]);
    const emails = await readEmails(id, "payout-changed");
    expect(emails.map(({ text }) => text.includes("Nothing is left in the payout"))).toEqual([
      false,
      true,
    ]);
  });
});
