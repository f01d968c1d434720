import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashPassword, startSession } from "#accounts/accounts.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
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
import { readVisibleText } from "#test/page-text.ts";
import { createPayout, requestPayout } from "./create-payout.server.ts";
import { readEarningsSummary } from "./earnings.server.ts";
import { decryptBankDetails } from "./encrypt-bank-details.server.ts";
import { listPayouts as listPayoutsForAdmin, readPayouts } from "./list-payouts.server.ts";
import { payDayRun } from "./pay-day-run.server.ts";
import { readBankDetails } from "./read-bank-details.server.ts";
import { saveBankDetails, writeBankDetails } from "./save-bank-details.server.ts";
import { startPayout } from "./start-payout.server.ts";

const START = instantAt("2026-10-20", "08:00");
const PASSWORD = "a good long password";
const DETAILS = {
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234567890",
  accountType: "savings" as const,
};

beforeEach(() => freezeClock(START));
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

function later(days: number): void {
  freezeClock(new Date(now().getTime() + days * 24 * 60 * 60 * 1000));
}

/** Creates a creator with bank details and a number of sales, all as of now (20 October). */
async function creatorWith(sales: number) {
  const creator = await makeTipster();
  await writeBankDetails(creator.id, DETAILS);
  const buyers = await sellMore(creator.id, sales);
  return { ...creator, buyers };
}

async function sellMore(creatorId: string, sales: number): Promise<string[]> {
  const { raceCardId } = await publishRaceCard({ creatorId });
  const buyers: string[] = [];
  for (let index = 0; index < sales; index += 1) {
    const { id } = await makeUser({ coins: 4 });
    await unlockRaceCardAs(id, { raceCardId });
    buyers.push(id);
  }
  return buyers;
}

async function readEmailsTo(userId: string, kind: string) {
  const { rows } = await pool().query(
    "select subject, text from emails where user_id = $1 and kind = $2 order by created_at, id",
    [userId, kind],
  );
  return rows;
}

async function listPayouts(creatorId: string) {
  return (await readPayouts({ creatorId })).payouts;
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

async function readOwedCents(creatorId: string): Promise<number> {
  const { rows } = await pool().query(
    "select coalesce(sum(amount), 0) as owed from ledger_postings where owner_id = $1 and account = 'payable'",
    [creatorId],
  );
  return Number(rows[0]?.owed);
}

describe("requesting a payout", () => {
  it("includes everything payable, shows it as in progress and emails the creator", async () => {
    const creator = await creatorWith(4);
    later(14);
    const result = await requestPayout(creator.id);
    expect(result).toMatchObject({ ok: true, amountCents: 11_200 });
    expect(await listPayouts(creator.id)).toMatchObject([
      { amountCents: 11_200, status: "requested", requestedAt: now(), accountLast4: "7890" },
    ]);
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      payableCents: 0,
      inPayoutCents: 11_200,
      paidCents: 0,
    });
    expect(await readEmailsTo(creator.id, "payout-requested")).toMatchObject([
      { subject: "Your payout of R112.00 is in progress" },
    ]);
  });

  it("reports the missing amount below R100", async () => {
    const creator = await creatorWith(3);
    later(14);
    expect(await requestPayout(creator.id)).toEqual({
      ok: false,
      refusal: "below-minimum",
      payableCents: 8400,
      missingCents: 1600,
    });
    expect(await listPayouts(creator.id)).toEqual([]);
  });

  it("excludes earnings less than 14 days old", async () => {
    const creator = await creatorWith(4);
    later(13);
    expect(await requestPayout(creator.id)).toMatchObject({
      refusal: "below-minimum",
      payableCents: 0,
    });
  });

  it("excludes earnings of race cards that have not been run", async () => {
    const creator = await creatorWith(0);
    const { raceCardId } = await publishRaceCard({
      creatorId: creator.id,
      raceDate: addDays(dateAt(now()), 14),
    });
    for (let index = 0; index < 4; index += 1)
      await unlockRaceCardAs((await makeUser({ coins: 4 })).id, { raceCardId });
    later(14);
    expect(await requestPayout(creator.id)).toMatchObject({
      refusal: "below-minimum",
      payableCents: 0,
    });
    later(1);
    expect(await requestPayout(creator.id)).toMatchObject({ ok: true, amountCents: 11_200 });
  });

  it("is refused without bank details", async () => {
    const creator = await makeTipster();
    await sellMore(creator.id, 4);
    later(14);
    expect(await requestPayout(creator.id)).toEqual({ ok: false, refusal: "no-bank-details" });
  });

  it("is refused for 72 hours after a change of the bank details", async () => {
    const creator = await creatorWith(4);
    later(14);
    await writeBankDetails(creator.id, { ...DETAILS, accountNumber: "99999999" });
    const until = new Date(now().getTime() + 72 * 60 * 60 * 1000);
    expect(await requestPayout(creator.id)).toEqual({
      ok: false,
      refusal: "bank-details-new",
      until,
    });
    freezeClock(new Date(until.getTime() - 1));
    expect(await requestPayout(creator.id)).toMatchObject({ refusal: "bank-details-new" });
    freezeClock(until);
    expect(await requestPayout(creator.id)).toMatchObject({ ok: true });
  });

  it("excludes held and reversed earnings", async () => {
    const creator = await creatorWith(6);
    await holdEarningsOfBuyer(creator.buyers[0] ?? "");
    await reverseEarningsOfBuyer(creator.buyers[1] ?? "");
    later(14);
    expect(await requestPayout(creator.id)).toMatchObject({ ok: true, amountCents: 4 * 2800 });
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      heldCents: 2800,
      reversedCents: 2800,
      inPayoutCents: 11_200,
    });
  });

  it("is refused while another payout is open", async () => {
    const creator = await creatorWith(8);
    later(14);
    await requestPayout(creator.id);
    expect(await requestPayout(creator.id)).toEqual({ ok: false, refusal: "payout-open" });
    expect(await listPayouts(creator.id)).toHaveLength(1);
  });

  it("creates one payout for concurrent requests and includes no earning twice", async () => {
    const creator = await creatorWith(5);
    later(14);
    const results = await Promise.all(Array.from({ length: 12 }, () => requestPayout(creator.id)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await listPayouts(creator.id)).toMatchObject([{ amountCents: 14_000 }]);
    expect(await readEmailsTo(creator.id, "payout-requested")).toHaveLength(1);
  });

  it("waits for a concurrent request and reports its payout as open", async () => {
    const creator = await creatorWith(4);
    later(14);
    const created = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const first = transaction(async (tx) => {
      const result = await createPayout(tx, {
        creatorId: creator.id,
        payableBy: now(),
        payDay: null,
      });
      created.resolve();
      await commit.promise;
      return result;
    });
    await created.promise;
    const second = requestPayout(creator.id);
    await Promise.race([second, waitForLock()]);
    commit.resolve();
    expect(await first).toMatchObject({ ok: true, amountCents: 11_200 });
    expect(await second).toEqual({ ok: false, refusal: "payout-open" });
  });

  it("excludes earnings that a changed result has not adjusted yet", async () => {
    const creator = await creatorWith(4);
    const { raceCardId } = await publishRaceCard({
      creatorId: creator.id,
      venue: "greyville",
      races: [1, 2],
    });
    const buyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const { rows } = await pool().query<{ id: string }>(
      "select id from tips where race_card_id = $1 order by race_number",
      [raceCardId],
    );
    const tipId = rows[0]?.id ?? "";
    const admin = await makeAdmin();
    later(14);
    /** Returns the amount of a payout requested now, without creating it. */
    async function readPayoutAmount() {
      const params = { creatorId: creator.id, payableBy: now(), payDay: null };
      const rollBack = new Error("roll back");
      let amountCents: number | null = null;
      await transaction(async (tx) => {
        const result = await createPayout(tx, params);
        if (result.ok) amountCents = result.amountCents;
        throw rollBack;
      }).catch((error: unknown) => {
        if (error !== rollBack) throw error;
      });
      return amountCents;
    }
    const amounts = [await readPayoutAmount()];
    await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
    amounts.push(await readPayoutAmount());
    await drainQueue([returnCoins]);
    amounts.push(await readPayoutAmount());
    await enterTipResultAsTwo(admin.id, { tipId, result: "won", reason: "Ran after all" });
    amounts.push(await readPayoutAmount());
    await drainQueue([returnCoins]);
    amounts.push(await readPayoutAmount());
    expect(amounts).toEqual([14_000, 11_200, 12_600, 11_200, 14_000]);
    expect(await requestPayout(creator.id)).toMatchObject({ ok: true, amountCents: 14_000 });
  });

  it("excludes sales that are reversed or held at the same time", async () => {
    const creator = await creatorWith(8);
    later(14);
    const [payout] = await Promise.all([
      requestPayout(creator.id),
      ...creator.buyers
        .slice(0, 2)
        .map((buyerId) => holdEarningsOfBuyer(buyerId).then(() => reverseEarningsOfBuyer(buyerId))),
    ]);
    expect(payout.ok).toBe(true);
    // The payout never contains the held earnings, whichever request comes first.
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      inPayoutCents: 6 * 2800,
      reversedCents: 2 * 2800,
      heldCents: 0,
    });
  });

  it("leaves an earning for the next payout if another transaction has locked it", async () => {
    const creator = await creatorWith(5);
    later(14);
    await transaction(async (tx) => {
      await tx.execute(
        sql`select from earnings where creator_id = ${creator.id} limit 1 for update`,
      );
      expect(await requestPayout(creator.id)).toMatchObject({ ok: true, amountCents: 4 * 2800 });
    });
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      inPayoutCents: 4 * 2800,
      payableCents: 2800,
    });
  });

  it("is refused for a user who is not a creator", async () => {
    const user = await makeUser();
    expect(await requestPayout(user.id)).toMatchObject({ ok: false, refusal: "below-minimum" });
    expect(await listPayouts(user.id)).toEqual([]);
  });
});

describe("the list of open payouts", () => {
  it("counts and sums all of them, also those that a search or the page leaves out", async () => {
    const { rows: open } = await pool().query(
      `select count(*) filter (where status = 'requested')::integer as requested,
         count(*) filter (where status = 'processing')::integer as processing from payouts`,
    );
    const creators = [await creatorWith(4), await creatorWith(4), await creatorWith(5)];
    later(14);
    for (const { id } of creators) expect(await requestPayout(id)).toMatchObject({ ok: true });
    const admin = await makeAdmin();
    await startPayout(admin.id, (await listPayouts(creators[2]?.id ?? ""))[0]?.id ?? "");
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    const params = new URLSearchParams({ search: creators[0]?.name ?? "" });
    const text = await readVisibleText(await browser.get(`/admin/payouts?${params}`));
    expect(text).toContain(`${open[0].requested + 2} to process`);
    expect(text).toContain(`${open[0].processing + 1} to pay`);
  });
});

describe("the pay day run", () => {
  const run = () => payDayRun.run({}, { isLast: false });

  it("creates a payout from R100 on and carries smaller amounts forward", async () => {
    const paidCreator = await creatorWith(4);
    const carriedCreator = await creatorWith(3);
    freezeClock(instantAt("2026-11-15", "05:30"));
    await run();
    expect(await listPayouts(paidCreator.id)).toMatchObject([
      { amountCents: 11_200, status: "requested" },
    ]);
    expect(await listPayouts(carriedCreator.id)).toEqual([]);
    expect((await readEarningsSummary(carriedCreator.id)).payableCents).toBe(8400);
    expect((await readEmailsTo(paidCreator.id, "payout-requested"))[0]?.text).toContain(
      "pay day run of 15 Nov 2026",
    );
  });

  it("uses the South African date, even while it is still the 14th in London", async () => {
    const creator = await creatorWith(4);
    freezeClock(new Date("2026-11-14T21:59:00Z"));
    await run();
    expect(await listPayouts(creator.id)).toEqual([]);
    freezeClock(new Date("2026-11-14T23:59:00Z"));
    await run();
    expect(await listPayouts(creator.id)).toHaveLength(1);
  });

  it("includes only earnings payable at the start of the 15th when it runs late", async () => {
    const creator = await creatorWith(4);
    freezeClock(instantAt("2026-11-02", "08:00"));
    await sellMore(creator.id, 5);
    // By the 18th those could be paid too, but they were not due on the 15th.
    freezeClock(instantAt("2026-11-18", "05:30"));
    await run();
    expect(await listPayouts(creator.id)).toMatchObject([{ amountCents: 11_200 }]);
    expect((await readEarningsSummary(creator.id)).payableCents).toBe(5 * 2800);
    const [{ text }] = await readEmailsTo(creator.id, "payout-requested");
    expect(text).toContain("pay day run of 15 Nov 2026");
    expect(text).toContain("everything that was payable at the start of that day");
    expect(text).not.toMatch(/today|everything payable/);
  });

  it("creates each payout once when repeated or concurrent", async () => {
    const creator = await creatorWith(4);
    freezeClock(instantAt("2026-11-15", "05:30"));
    await Promise.all([run(), run(), requestPayout(creator.id), run()]);
    await run();
    later(1);
    await run();
    expect(await listPayouts(creator.id)).toHaveLength(1);
  });

  it("does not create next month's payout early after this month's is paid", async () => {
    const admin = await makeAdmin();
    const creator = await creatorWith(4);
    freezeClock(instantAt("2026-11-02", "08:00"));
    await sellMore(creator.id, 5);
    freezeClock(instantAt("2026-11-15", "05:30"));
    await run();
    const [payout] = await listPayouts(creator.id);
    await startPayout(admin.id, payout?.id ?? "");
    await exportForBank(admin.id, payout?.id ?? "");
    await markShownPayoutPaid(admin.id, payout?.id ?? "");
    later(5);
    await run();
    expect(await listPayouts(creator.id)).toHaveLength(1);
    freezeClock(instantAt("2026-12-15", "05:30"));
    await run();
    expect(await listPayouts(creator.id)).toMatchObject([{ amountCents: 14_000 }, {}]);
  });

  it("pays the others when one creator's bank details cannot be decrypted, and alerts by name", async () => {
    const creators = [await creatorWith(4), await creatorWith(4), await creatorWith(4)];
    const [first, unreadable, last] = creators.sort((a, b) => (a.id < b.id ? -1 : 1));
    const storeDetails = (id: string, encrypted: string) =>
      pool().query("update bank_details set encrypted_details = $2 where creator_id = $1", [
        id,
        encrypted,
      ]);
    const { rows } = await pool().query(
      "select encrypted_details from bank_details where creator_id = $1",
      [unreadable?.id],
    );
    await storeDetails(unreadable?.id ?? "", "v1.AAAA");
    freezeClock(instantAt("2026-11-15", "05:30"));
    await expect(run()).rejects.toThrow(`1 failed: creator ${unreadable?.id}`);
    expect(await listPayouts(first?.id ?? "")).toHaveLength(1);
    expect(await listPayouts(unreadable?.id ?? "")).toEqual([]);
    expect(await listPayouts(last?.id ?? "")).toHaveLength(1);
    const { rows: alerts } = await pool().query(
      "select message from alerts where kind = 'job-failed' and subject = 'pay-day-run'",
    );
    expect(alerts).toEqual([{ message: expect.stringContaining(`creator ${unreadable?.id}`) }]);
    await storeDetails(unreadable?.id ?? "", rows[0].encrypted_details);
    later(1);
    await run();
    for (const { id } of creators) expect(await listPayouts(id)).toHaveLength(1);
  });

  it("emails once about missing bank details and pays after they are entered", async () => {
    const creator = await makeTipster();
    await sellMore(creator.id, 4);
    const carriedCreator = await makeTipster();
    await sellMore(carriedCreator.id, 1);
    freezeClock(instantAt("2026-11-15", "05:30"));
    await run();
    later(1);
    await run();
    expect(await readEmailsTo(creator.id, "bank-details-missing")).toMatchObject([
      { subject: "Please enter your bank details" },
    ]);
    expect(await readEmailsTo(carriedCreator.id, "bank-details-missing")).toEqual([]);
    await writeBankDetails(creator.id, DETAILS);
    later(2);
    await run();
    expect(await listPayouts(creator.id)).toEqual([]);
    later(1);
    await run();
    expect(await listPayouts(creator.id)).toMatchObject([{ amountCents: 11_200 }]);
  });

  it("pays a suspended creator", async () => {
    const admin = await makeAdmin();
    const creator = await creatorWith(4);
    await suspendCreator(admin.id, creator.id);
    freezeClock(instantAt("2026-11-15", "05:30"));
    await run();
    expect(await listPayouts(creator.id)).toHaveLength(1);
  });
});

describe("paying a payout", () => {
  async function requested() {
    const admin = await makeAdmin();
    const creator = await creatorWith(4);
    later(14);
    const result = await requestPayout(creator.id);
    if (!result.ok) throw new Error(result.refusal);
    return { admin, creator, payoutId: result.payoutId };
  }

  it("changes from requested to processing to paid and emails the creator", async () => {
    const { admin, creator, payoutId } = await requested();
    expect(await readOwedCents(creator.id)).toBe(11_200);
    expect(await startPayout(admin.id, payoutId)).toEqual({ ok: true });
    expect(await listPayouts(creator.id)).toMatchObject([{ status: "processing" }]);
    expect(await readOwedCents(creator.id)).toBe(11_200);
    await exportForBank(admin.id, payoutId);
    later(1);
    expect(await markShownPayoutPaid(admin.id, payoutId)).toEqual({ ok: true });
    expect(await listPayouts(creator.id)).toMatchObject([{ status: "paid", paidAt: now() }]);
    expect(await readOwedCents(creator.id)).toBe(0);
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      inPayoutCents: 0,
      paidCents: 11_200,
    });
    expect(await readEmailsTo(creator.id, "payout-paid")).toMatchObject([
      { subject: "We have paid you R112.00" },
    ]);
    const { entries } = await readAudit({ limit: 2 });
    expect(entries.map((entry) => entry.action)).toEqual(["mark-payout-paid", "make-payment-file"]);
  });

  it("is refused for an unknown payout or one in the wrong status", async () => {
    const { admin, payoutId } = await requested();
    expect(await markShownPayoutPaid(admin.id, payoutId)).toEqual({
      ok: false,
      refusal: "not-processing",
    });
    for (const payoutId of [randomUUID(), "nonsense"])
      for (const action of [startPayout, markShownPayoutPaid])
        expect(await action(admin.id, payoutId)).toMatchObject({ refusal: "no-such-payout" });
    await startPayout(admin.id, payoutId);
    expect(await markShownPayoutPaid(admin.id, payoutId)).toEqual({
      ok: false,
      refusal: "not-exported",
    });
    await exportForBank(admin.id, payoutId);
    await markShownPayoutPaid(admin.id, payoutId);
    expect(await startPayout(admin.id, payoutId)).toEqual({ ok: false, refusal: "already-paid" });
  });

  it("is blocked when the bank details were changed after the request", async () => {
    const { admin, creator, payoutId } = await requested();
    await writeBankDetails(creator.id, { ...DETAILS, accountNumber: "55555555" });
    const refused = await startPayout(admin.id, payoutId);
    expect(refused).toMatchObject({ refusal: "bank-details-new" });
    const readListed = async () =>
      (await listPayoutsForAdmin({ payoutIds: [payoutId] })).payouts[0];
    expect((await readListed())?.blockedUntil).toEqual("until" in refused && refused.until);
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id, { codeVerifiedAt: now() }));
    expect(await readVisibleText(await browser.get("/admin/payouts"))).toContain(
      "Bank details changed, blocked until",
    );
    later(3);
    expect((await readListed())?.blockedUntil).toBeNull();
    expect(await startPayout(admin.id, payoutId)).toEqual({ ok: true });
  });

  it("is paid once when repeated or concurrent", async () => {
    const { admin, creator, payoutId } = await requested();
    await Promise.all([startPayout(admin.id, payoutId), startPayout(admin.id, payoutId)]);
    await exportForBank(admin.id, payoutId);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => markShownPayoutPaid(admin.id, payoutId)),
    );
    expect(results).toEqual(Array.from({ length: 6 }, () => ({ ok: true })));
    expect(await readOwedCents(creator.id)).toBe(0);
    expect(await readEmailsTo(creator.id, "payout-paid")).toHaveLength(1);
  });

  it("is followed by a payout that includes only newer earnings", async () => {
    const { admin, creator, payoutId } = await requested();
    await startPayout(admin.id, payoutId);
    await exportForBank(admin.id, payoutId);
    await markShownPayoutPaid(admin.id, payoutId);
    await sellMore(creator.id, 4);
    later(14);
    expect(await requestPayout(creator.id)).toMatchObject({ ok: true, amountCents: 11_200 });
    const page = await readPayouts({ creatorId: creator.id, limit: 1 });
    const rest = await readPayouts({ creatorId: creator.id, limit: 1, cursor: page.next });
    expect([...page.payouts, ...rest.payouts].map((payout) => payout.status)).toEqual([
      "requested",
      "paid",
    ]);
    expect(rest.next).toBeNull();
  });
});

describe("bank details", () => {
  async function makeCreatorWithPassword() {
    const creator = await makeTipster();
    const hash = await hashPassword(PASSWORD);
    await pool().query(
      `insert into credentials (account_id, provider_id, user_id, password, created_at, updated_at)
       values ($1::text, 'credential', $1::uuid, $2, $3, $3)`,
      [creator.id, hash, now()],
    );
    return creator;
  }

  it("are stored encrypted, and only the last digits of the number are shown", async () => {
    const creator = await makeCreatorWithPassword();
    expect(await readBankDetails(creator.id)).toBeNull();
    expect(await saveBankDetails(creator.id, { ...DETAILS, password: PASSWORD })).toEqual({
      ok: true,
      isNew: true,
      isChecked: false,
    });
    expect(await readBankDetails(creator.id)).toEqual({
      accountLast4: "7890",
      changedAt: now(),
      checkedAt: null,
      blockedUntil: new Date(now().getTime() + 72 * 60 * 60 * 1000),
    });
    const { rows } = await pool().query(
      "select encrypted_details from bank_details where creator_id = $1",
      [creator.id],
    );
    expect(rows[0].encrypted_details).not.toMatch(/S\. Dube|Capitec|1234567890/);
    expect(await readEmailsTo(creator.id, "bank-details-changed")).toHaveLength(1);
    const [sentEmail] = await readEmailsTo(creator.id, "bank-details-changed");
    expect(sentEmail?.text).toContain("ending in 7890");
    expect(sentEmail?.text).not.toContain("1234567890");
    const { rows: audit } = await pool().query(
      "select details::text from audit_entries where action = 'change-bank-details' and subject = $1",
      [creator.id],
    );
    expect(audit).toHaveLength(1);
    expect(audit[0].details).not.toMatch(/[^0-9a-f-]7890\b/);
  });

  it("cannot be decrypted in another creator's row", async () => {
    const first = await creatorWith(0);
    const second = await creatorWith(0);
    const { rows } = await pool().query(
      "select encrypted_details from bank_details where creator_id = $1",
      [first.id],
    );
    expect(decryptBankDetails(first.id, rows[0].encrypted_details)).toEqual(DETAILS);
    expect(() => decryptBankDetails(second.id, rows[0].encrypted_details)).toThrow();
  });

  it("cannot be changed with a wrong password or after five wrong attempts", async () => {
    const creator = await makeCreatorWithPassword();
    const save = (password: string) => saveBankDetails(creator.id, { ...DETAILS, password });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await save("wrong")).toEqual({ ok: false, refusal: "wrong-password" });
    expect(await save(PASSWORD)).toEqual({ ok: false, refusal: "too-many-attempts" });
    expect(await readBankDetails(creator.id)).toBeNull();
  });

  it("are refused for a user who is not a creator", async () => {
    const user = await makeUser();
    expect(await writeBankDetails(user.id, DETAILS)).toEqual({
      ok: false,
      refusal: "not-a-creator",
    });
  });

  it("have no effect and block no payout when saved unchanged", async () => {
    const creator = await creatorWith(0);
    later(5);
    expect(await writeBankDetails(creator.id, DETAILS)).toMatchObject({ ok: true, isNew: false });
    expect((await readBankDetails(creator.id))?.blockedUntil).toBeNull();
    expect(await readEmailsTo(creator.id, "bank-details-changed")).toHaveLength(1);
  });

  it("count as one change when saved concurrently", async () => {
    const creator = await makeTipster();
    const results = await Promise.all(
      Array.from({ length: 6 }, () => writeBankDetails(creator.id, DETAILS)),
    );
    expect(results.filter((result) => result.ok && result.isNew)).toHaveLength(1);
    expect(await readEmailsTo(creator.id, "bank-details-changed")).toHaveLength(1);
  });
});
