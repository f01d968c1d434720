import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { listAlerts } from "#platform/list-alerts.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import {
  exportForBank,
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  markShownPayoutPaid,
  type Person,
  publishRaceCard,
  withdrawShownExport,
} from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { requestPayout } from "./create-payout.server.ts";
import { rollUpEarnings } from "./earning-days.server.ts";
import { readEarningsSummary } from "./earnings.server.ts";
import { decryptExportedDetails, encryptBankDetails } from "./encrypt-bank-details.server.ts";
import { exportPayouts } from "./export-payouts.server.ts";
import { releaseEarnings } from "./hold-earnings.server.ts";
import { listDuePayouts } from "./list-due-payouts.server.ts";
import { listHeldEarnings } from "./list-held-earnings.server.ts";
import { listPayouts, readPayouts } from "./list-payouts.server.ts";
import { markPayoutPaid } from "./mark-payout-paid.server.ts";
import { payDayRun } from "./pay-day-run.server.ts";
import { listPaymentExports } from "./payment-exports.server.ts";
import { releaseEarning } from "./review-earning.server.ts";
import { writeBankDetails } from "./save-bank-details.server.ts";
import { startPayout } from "./start-payout.server.ts";
import { withdrawExport } from "./withdraw-export.server.ts";

const DETAILS = {
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234567890",
  accountType: "savings" as const,
};

let admin: Person;
beforeEach(async () => {
  freezeClock(instantAt("2026-10-20", "08:00"));
  admin = await makeAdmin();
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

function later(days: number): void {
  freezeClock(new Date(now().getTime() + days * 24 * 60 * 60 * 1000));
}

async function creatorWith(sales: number, { details = true, buyers = [] as Person[] } = {}) {
  const creator = await makeTipster();
  if (details) await writeBankDetails(creator.id, { ...DETAILS, holder: creator.name });
  const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
  for (let index = 0; index < sales; index += 1) {
    const { id } = buyers[index] ?? (await makeUser({ coins: 4 }));
    await unlockRaceCardAs(id, { raceCardId });
  }
  return creator;
}

/** Creates one creator per number of sales, each with a requested payout of those sales. */
async function createPayouts(...sales: number[]) {
  const creators = [];
  for (const count of sales) creators.push(await creatorWith(count));
  later(14);
  const payouts = [];
  for (const creator of creators) {
    const result = await requestPayout(creator.id);
    if (!result.ok) throw new Error(result.refusal);
    payouts.push({ creator, id: result.payoutId, amountCents: result.amountCents });
  }
  return payouts;
}

const listFileEntries = async () =>
  (await readAudit({ action: "make-payment-file", limit: 100 })).entries.filter(
    (entry) => entry.actorId === admin.id,
  );

const EXPORT_PARAMS = { format: "generic", actionDate: "2026-11-04" };

/** Exports payouts to a payment file and acknowledges earlier exports. */
async function exportTestPayouts(
  payoutIds: (string | undefined)[],
  acknowledgedExportIds: string[] = [],
) {
  return await exportPayouts(admin.id, {
    ...EXPORT_PARAMS,
    payoutIds: payoutIds.map((id) => id ?? ""),
    acknowledgedExportIds,
  });
}

/** Creates a payout with the status processing. */
async function createProcessingPayout(sales = 4) {
  const [payout] = await createPayouts(sales);
  if (!payout) throw new Error("no payout");
  await startPayout(admin.id, payout.id);
  return payout;
}

async function readPayout(creatorId: string) {
  const [payout] = (await readPayouts({ creatorId })).payouts;
  if (!payout) throw new Error("no payout");
  return payout;
}

async function buyersOf(creatorId: string): Promise<string[]> {
  const { rows } = await pool().query(
    "select buyer_id from sales where creator_id = $1 order by id",
    [creatorId],
  );
  return rows.map((row) => row.buyer_id);
}

async function dispute(buyerId: string | undefined): Promise<void> {
  await holdEarningsOfBuyer(buyerId ?? "");
}

async function readEmailsTo(userId: string, kind: string) {
  const { rows } = await pool().query(
    "select subject, text from emails where user_id = $1 and kind = $2 order by created_at, id",
    [userId, kind],
  );
  return rows as { subject: string; text: string }[];
}

async function readOwedCents(creatorId: string): Promise<number> {
  const { rows } = await pool().query(
    "select sum(amount)::int as cents from ledger_postings where owner_id = $1 and account = 'payable'",
    [creatorId],
  );
  return rows[0].cents;
}

const alertsAbout = async (subject: string) =>
  (await listAlerts({ limit: 100 })).alerts
    .filter((alert) => alert.subject === subject)
    .map((alert) => alert.kind);

const listAuditActions = async (subject: string) =>
  (await readAudit({ subject, limit: 20 })).entries.map((entry) => entry.action);

describe("the payment file", () => {
  it("has one line for each payout and the exact total", async () => {
    const payouts = await createPayouts(4, 7, 5);
    for (const payout of payouts) await startPayout(admin.id, payout.id);
    const result = await exportTestPayouts(payouts.map((payout) => payout.id));
    if (!result.ok) throw new Error(result.refusal);
    const { lines, totalCents, id } = result.export;
    expect(lines.map((line) => line.amountCents).sort()).toEqual([11_200, 14_000, 19_600]);
    expect(totalCents).toBe(44_800);
    for (const payout of payouts)
      expect(lines.find((line) => line.payoutId === payout.id)).toMatchObject({
        amountCents: payout.amountCents,
        details: { ...DETAILS, holder: payout.creator.name },
        reference: `FURLONG ${payout.id.slice(-8).toUpperCase()}`,
      });
    expect(await listFileEntries()).toMatchObject([
      {
        subject: id,
        details: { totalCents: 44_800, payoutIds: lines.map((line) => line.payoutId), repeated: 0 },
      },
    ]);
    expect((await listPaymentExports({ limit: 1 })).exports).toMatchObject([
      { id, payments: 3, totalCents: 44_800, createdBy: admin.id, ...EXPORT_PARAMS },
    ]);
  });

  it("contains a payout once when it is selected twice", async () => {
    const { id } = await createProcessingPayout();
    expect(await exportTestPayouts([id, id, "x"])).toMatchObject({
      ok: true,
      export: { totalCents: 11_200, lines: [{}] },
    });
  });

  it("is refused for a wrong status, missing or new details or an empty selection", async () => {
    const [started, requested, changed] = await createPayouts(4, 4, 4);
    await startPayout(admin.id, started?.id ?? "");
    await startPayout(admin.id, changed?.id ?? "");
    expect(await exportTestPayouts([])).toEqual({ ok: false, refusal: "nothing-chosen" });
    expect(await exportTestPayouts([randomUUID(), "no id"])).toEqual({
      ok: false,
      refusal: "nothing-chosen",
    });
    expect(await exportTestPayouts([started?.id, requested?.id])).toEqual({
      ok: false,
      refusal: "not-processing",
      creatorIds: [requested?.creator.id],
    });
    await writeBankDetails(changed?.creator.id ?? "", { ...DETAILS, bank: "FNB" });
    expect(await exportTestPayouts([started?.id, changed?.id])).toEqual({
      ok: false,
      refusal: "bank-details-new",
      creatorIds: [changed?.creator.id],
    });
    await pool().query("delete from bank_details where creator_id = $1", [changed?.creator.id]);
    expect(await exportTestPayouts([started?.id, changed?.id])).toEqual({
      ok: false,
      refusal: "no-bank-details",
      creatorIds: [changed?.creator.id],
    });
    expect(await listFileEntries()).toEqual([]);
    expect((await readPayout(started?.creator.id ?? "")).exportedAt).toBeNull();
    await writeBankDetails(changed?.creator.id ?? "", DETAILS);
    await exportTestPayouts([started?.id]);
    await markShownPayoutPaid(admin.id, started?.id ?? "");
    expect(await exportTestPayouts([started?.id])).toMatchObject({ refusal: "not-processing" });
  });

  it("names the creator whose bank details cannot be decrypted, who can enter them again", async () => {
    const readable = await createProcessingPayout();
    const { id, creator } = await createProcessingPayout();
    await pool().query(
      "update bank_details set encrypted_details = 'v1.AAAA' where creator_id = $1",
      [creator.id],
    );
    expect(await exportTestPayouts([readable.id, id])).toEqual({
      ok: false,
      refusal: "bank-details-unusable",
      creatorIds: [creator.id],
    });
    expect(await writeBankDetails(creator.id, DETAILS)).toMatchObject({ ok: true, isNew: true });
    later(3);
    expect(await exportTestPayouts([readable.id, id])).toMatchObject({ ok: true });
  });

  it("is refused for bank details stored with line breaks, as is a payout request", async () => {
    const { id, creator } = await createProcessingPayout();
    const encryptedDetails = encryptBankDetails(creator.id, {
      ...DETAILS,
      holder: "S. Dube\r\nX. Thief,1,2",
    });
    await pool().query("update bank_details set encrypted_details = $2 where creator_id = $1", [
      creator.id,
      encryptedDetails,
    ]);
    expect(await exportTestPayouts([id])).toEqual({
      ok: false,
      refusal: "bank-details-unusable",
      creatorIds: [creator.id],
    });
    const other = await creatorWith(4);
    await pool().query("update bank_details set encrypted_details = $2 where creator_id = $1", [
      other.id,
      encryptBankDetails(other.id, { ...DETAILS, bank: "FNB\u2028" }),
    ]);
    later(14);
    expect(await requestPayout(other.id)).toEqual({ ok: false, refusal: "bank-details-unusable" });
    freezeClock(instantAt("2026-11-15", "06:00"));
    later(30);
    await payDayRun.run({}, { isLast: false });
    expect(await readEmailsTo(other.id, "bank-details-missing")).toMatchObject([
      { subject: "Please enter your bank details again" },
    ]);
  });
});

describe("a second export of a payout", () => {
  it("is refused until the first is acknowledged, then repeats the same payment", async () => {
    const { id, creator } = await createProcessingPayout();
    const first = await exportTestPayouts([id]);
    if (!first.ok) throw new Error(first.refusal);
    expect(await readPayout(creator.id)).toMatchObject({
      exportId: first.export.id,
      exportedAt: now(),
      accountLast4: "7890",
    });
    expect(await exportTestPayouts([id])).toEqual({
      ok: false,
      refusal: "already-exported",
      exported: [
        {
          payoutId: id,
          creatorId: creator.id,
          exportId: first.export.id,
          exportedAt: first.export.createdAt,
        },
      ],
    });
    expect(await exportTestPayouts([id], [randomUUID()])).toMatchObject({
      refusal: "already-exported",
    });
    expect(await listFileEntries()).toHaveLength(1);
    // The bank details have changed since, but the repeated file must still contain the first account.
    await writeBankDetails(creator.id, { ...DETAILS, accountNumber: "55555555" });
    const second = await exportTestPayouts([id], [first.export.id]);
    if (!second.ok) throw new Error(second.refusal);
    expect(second.export.lines).toEqual(first.export.lines);
    expect(await exportTestPayouts([id], [first.export.id])).toMatchObject({
      refusal: "already-exported",
    });
    expect((await readPayout(creator.id)).accountLast4).toBe("7890");
    expect((await listFileEntries())[0]).toMatchObject({ details: { repeated: 1 } });
  });

  it("refuses the whole file when only one of its payouts was exported before", async () => {
    const [one, other] = await createPayouts(4, 5);
    for (const each of [one, other]) await startPayout(admin.id, each?.id ?? "");
    const first = await exportTestPayouts([one?.id]);
    if (!first.ok) throw new Error(first.refusal);
    expect(await exportTestPayouts([one?.id, other?.id])).toMatchObject({
      refusal: "already-exported",
      exported: [{ payoutId: one?.id }],
    });
    expect((await readPayout(other?.creator.id ?? "")).exportedAt).toBeNull();
    expect(await exportTestPayouts([one?.id, other?.id], [first.export.id])).toMatchObject({
      ok: true,
      export: { totalCents: 25_200 },
    });
  });

  it("is refused for all but one of six concurrent requests", async () => {
    const { id } = await createProcessingPayout();
    const results = await Promise.all(Array.from({ length: 6 }, () => exportTestPayouts([id])));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    for (const result of results.filter((result) => !result.ok))
      expect(result).toMatchObject({ refusal: "already-exported" });
    expect(await listFileEntries()).toHaveLength(1);
  });

  it("must be acknowledged when the first export predates the export records", async () => {
    const { id, creator } = await createProcessingPayout();
    const { rows } = await pool().query(
      `insert into payment_exports (created_at, format, number, payments, total_cents)
       values ($1, 'unrecorded', 1, 1, 11200) returning id`,
      [now()],
    );
    await pool().query(
      `insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
       values ($1, $2, $3, 11200, 'FURLONG 00000000')`,
      [rows[0].id, id, creator.id],
    );
    await pool().query("update payouts set export_id = $1 where id = $2", [rows[0].id, id]);
    expect(await exportTestPayouts([id])).toMatchObject({ refusal: "already-exported" });
    expect(await readPayout(creator.id)).toMatchObject({ accountLast4: null });
    expect(await exportTestPayouts([id], [rows[0].id])).toMatchObject({
      ok: true,
      export: { lines: [{ details: { accountNumber: "1234567890" } }] },
    });
  });
});

describe("an exported payout", () => {
  it("is locked by the database against changes of amount, earnings and payment", async () => {
    const { id } = await createProcessingPayout();
    await exportTestPayouts([id]);
    for (const statement of [
      "update payouts set amount_cents = amount_cents + 2800 where id = $1",
      "update earnings set payout_id = null where payout_id = $1",
      "update payment_export_lines set amount_cents = 1 where payout_id = $1",
      "delete from payment_export_lines where payout_id = $1",
      "update payment_export_lines set encrypted_details = 'x' where payout_id = $1",
    ])
      await expect(pool().query(statement, [id])).rejects.toMatchObject({ code: "23001" });
    await markShownPayoutPaid(admin.id, id);
    await expect(
      pool().query("update payouts set status = 'processing' where id = $1", [id]),
    ).rejects.toMatchObject({ code: "23001" });
  });

  it("stores the account encrypted, for that payout only", async () => {
    const [one, other] = await createPayouts(4, 4);
    for (const each of [one, other]) await startPayout(admin.id, each?.id ?? "");
    await exportTestPayouts([one?.id, other?.id]);
    const { rows } = await pool().query(
      "select encrypted_details from payment_export_lines where payout_id = any($1)",
      [[one?.id, other?.id]],
    );
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(row.encrypted_details).not.toMatch(/S\. Dube|Capitec|1234567890/);
    expect(() => decryptExportedDetails(other?.id ?? "", rows[0].encrypted_details)).toThrow();
  });

  it("is paid to the account in the file, at the earliest 72 hours after a change", async () => {
    const { id, creator } = await createProcessingPayout();
    await exportTestPayouts([id]);
    later(1);
    await writeBankDetails(creator.id, { ...DETAILS, accountNumber: "55554444" });
    const until = new Date(now().getTime() + 72 * 60 * 60 * 1000);
    expect(await markShownPayoutPaid(admin.id, id)).toEqual({
      ok: false,
      refusal: "bank-details-new",
      until,
    });
    freezeClock(new Date(until.getTime() - 1));
    expect(await markShownPayoutPaid(admin.id, id)).toMatchObject({ refusal: "bank-details-new" });
    expect(await readEmailsTo(creator.id, "payout-paid")).toEqual([]);
    freezeClock(until);
    expect(await markShownPayoutPaid(admin.id, id)).toEqual({ ok: true });
    const [sentEmail] = await readEmailsTo(creator.id, "payout-paid");
    expect(sentEmail?.text).toContain("ending in 7890");
    expect(sentEmail?.text).not.toContain("ending in 4444");
    expect((await readPayout(creator.id)).accountLast4).toBe("7890");
    const [entry] = (await readAudit({ action: "mark-payout-paid", subject: id })).entries;
    expect(entry?.details).toMatchObject({ accountLast4: "7890", amountCents: 11_200 });
  });

  it("is paid once during concurrent changes, exports and withdrawals", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, creator } = await createProcessingPayout();
      const first = await exportTestPayouts([id]);
      if (!first.ok) throw new Error(first.refusal);
      const [paid, , again, withdrawn] = await Promise.all([
        markShownPayoutPaid(admin.id, id),
        writeBankDetails(creator.id, { ...DETAILS, accountNumber: `5555000${round}` }),
        exportTestPayouts([id], [first.export.id]),
        withdrawShownExport(admin.id, id, "Rejected"),
        markShownPayoutPaid(admin.id, id),
      ]);
      const payout = await readPayout(creator.id);
      if (payout.status === "paid") {
        // A withdrawn payout can only be paid after another export.
        if (withdrawn.ok) expect(again.ok).toBe(true);
        expect(await readOwedCents(creator.id)).toBe(0);
        expect(payout.accountLast4).toBe("7890");
        const [sentEmail] = await readEmailsTo(creator.id, "payout-paid");
        expect(sentEmail?.text).toContain("ending in 7890");
      } else {
        expect(paid.ok).toBe(false);
        expect(await readEmailsTo(creator.id, "payout-paid")).toEqual([]);
      }
      // A second file names the account of the first.
      if (again.ok) expect(again.export.lines[0]?.details.accountNumber).toBe("1234567890");
      later(4);
    }
  });
});

describe("withdrawing a payout from its file", () => {
  it("lets the next file use the bank details on record then", async () => {
    const { id, creator } = await createProcessingPayout();
    expect(await withdrawShownExport(admin.id, id, "Rejected")).toEqual({
      ok: false,
      refusal: "not-exported",
    });
    await exportTestPayouts([id]);
    expect(await withdrawShownExport(admin.id, id, " ")).toEqual({
      ok: false,
      refusal: "reason-missing",
    });
    for (const unknownId of [randomUUID(), "nonsense"])
      expect(await withdrawShownExport(admin.id, unknownId, "Rejected")).toEqual({
        ok: false,
        refusal: "no-such-payout",
      });
    await writeBankDetails(creator.id, { ...DETAILS, accountNumber: "55554444" });
    expect(await withdrawShownExport(admin.id, id, "Account closed")).toEqual({ ok: true });
    expect(await withdrawShownExport(admin.id, id, "Account closed")).toMatchObject({ ok: false });
    expect(await readPayout(creator.id)).toMatchObject({ status: "processing", exportId: null });
    expect(await exportTestPayouts([id])).toMatchObject({ refusal: "bank-details-new" });
    expect(await markShownPayoutPaid(admin.id, id)).toMatchObject({ refusal: "not-exported" });
    later(3);
    const result = await exportTestPayouts([id]);
    if (!result.ok) throw new Error(result.refusal);
    expect(result.export.lines[0]?.details.accountNumber).toBe("55554444");
    expect(await markShownPayoutPaid(admin.id, id)).toEqual({ ok: true });
    expect(await withdrawShownExport(admin.id, id, "Too late")).toEqual({
      ok: false,
      refusal: "already-paid",
    });
    expect(await listAuditActions(id)).toEqual([
      "mark-payout-paid",
      "withdraw-export",
      "start-payout",
    ]);
  });

  it("succeeds once for four concurrent requests", async () => {
    const { id } = await createProcessingPayout();
    await exportTestPayouts([id]);
    const results = await Promise.all(
      Array.from({ length: 4 }, () => withdrawShownExport(admin.id, id, "Rejected")),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  });
});

describe("a payout in another file than the admin was shown", () => {
  /** Exports a payout, withdraws it and exports it again. Returns the two exports. */
  async function exportTwice() {
    const { id, creator } = await createProcessingPayout();
    const first = await exportTestPayouts([id]);
    expect(await withdrawShownExport(admin.id, id, "Rejected")).toEqual({ ok: true });
    const second = await exportTestPayouts([id]);
    if (!first.ok || !second.ok) throw new Error("not exported");
    return { id, creator, firstId: first.export.id, secondId: second.export.id };
  }
  const changed = { ok: false, refusal: "export-changed" };
  const withdraw = (id: string, shownExportId: string | null) =>
    withdrawExport(admin.id, id, { shownExportId, reason: "Rejected" });

  it("is neither withdrawn nor marked as paid", async () => {
    const { id, creator, firstId, secondId } = await exportTwice();
    for (const shownExportId of [firstId, null, randomUUID(), "nonsense"]) {
      expect(await withdraw(id, shownExportId)).toEqual(changed);
      expect(await markPayoutPaid(admin.id, id, shownExportId)).toEqual(changed);
    }
    expect(await readPayout(creator.id)).toMatchObject({
      status: "processing",
      exportId: secondId,
    });
    expect(await readOwedCents(creator.id)).toBe(11_200);
    expect(await markPayoutPaid(admin.id, id, secondId)).toEqual({ ok: true });
    // A payment of the first file as well is not taken for the payment of the second.
    expect(await markPayoutPaid(admin.id, id, firstId)).toEqual(changed);
    expect(await markPayoutPaid(admin.id, id, secondId)).toEqual({ ok: true });
    expect(await readOwedCents(creator.id)).toBe(0);
  });

  it("is not marked as paid when the file was made again", async () => {
    const { id } = await createProcessingPayout();
    const first = await exportTestPayouts([id]);
    if (!first.ok) throw new Error(first.refusal);
    const second = await exportTestPayouts([id], [first.export.id]);
    if (!second.ok) throw new Error(second.refusal);
    expect(await markPayoutPaid(admin.id, id, first.export.id)).toEqual(changed);
    expect(await withdraw(id, first.export.id)).toEqual(changed);
    expect(await withdraw(id, second.export.id)).toEqual({ ok: true });
  });

  it("stays in it when the page of the first file is sent twice at once", async () => {
    const { id, creator, firstId, secondId } = await exportTwice();
    const results = await Promise.all([
      withdraw(id, firstId),
      withdraw(id, firstId),
      markPayoutPaid(admin.id, id, firstId),
      markPayoutPaid(admin.id, id, secondId),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, true]);
    expect(await readPayout(creator.id)).toMatchObject({ status: "paid", exportId: secondId });
  });
});

describe("the number of a payment file", () => {
  it("counts the files of its format, even when they are created concurrently", async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push((await createProcessingPayout()).id);
    const results = await Promise.all(ids.map((id) => exportTestPayouts([id])));
    const numbers = results.map((result) => (result.ok ? result.export.number : 0)).sort();
    const first = numbers[0] ?? 0;
    expect(first).toBeGreaterThan(0);
    expect(numbers).toEqual([first, first + 1, first + 2]);
    const { id } = await createProcessingPayout();
    const other = await exportPayouts(admin.id, {
      ...EXPORT_PARAMS,
      format: "acb",
      payoutIds: [id],
    });
    expect(other).toMatchObject({ ok: true, export: { number: 1 } });
  });
});

describe("a dispute of a sale that is in a payout", () => {
  it("removes and holds its earning, alerts the operator and emails the creator", async () => {
    for (const isStarted of [false, true]) {
      const [payout] = await createPayouts(6);
      const { id, creator } = payout ?? { id: "", creator: { id: "" } };
      if (isStarted) await startPayout(admin.id, id);
      const [disputed] = await buyersOf(creator.id);
      await dispute(disputed);
      expect(await readPayout(creator.id)).toMatchObject({
        amountCents: 5 * 2800,
        removedCents: 2800,
        status: isStarted ? "processing" : "requested",
      });
      expect(await readEarningsSummary(creator.id)).toMatchObject({
        heldCents: 2800,
        inPayoutCents: 5 * 2800,
        payableCents: 0,
      });
      expect(await alertsAbout(id)).toEqual(["payout-reduced"]);
      expect((await listAuditActions(id))[0]).toBe("reduce-payout");
      const [sentEmail] = await readEmailsTo(creator.id, "payout-changed");
      expect(sentEmail?.text).toContain("R140.00");
      // The dispute is repeated because its event can be delivered twice.
      await dispute(disputed);
      expect((await readPayout(creator.id)).amountCents).toBe(5 * 2800);
      expect(await readEmailsTo(creator.id, "payout-changed")).toHaveLength(1);
      await expectInvariantsToHold();
    }
  });

  it("removes only its own earning from each payout when the buyer bought from two creators", async () => {
    const buyer = await makeUser({ coins: 8 });
    const creators = [
      await creatorWith(6, { buyers: [buyer] }),
      await creatorWith(7, { buyers: [buyer] }),
    ];
    later(14);
    for (const creator of creators)
      expect(await requestPayout(creator.id)).toMatchObject({ ok: true });
    await dispute(buyer.id);
    expect(await Promise.all(creators.map(({ id }) => readPayout(id)))).toMatchObject([
      { amountCents: 5 * 2800, removedCents: 2800, status: "requested" },
      { amountCents: 6 * 2800, removedCents: 2800, status: "requested" },
    ]);
  });

  it("stops a payout with less than R100 left and makes the rest payable again", async () => {
    const [payout] = await createPayouts(4);
    const { id, creator } = payout ?? { id: "", creator: { id: "" } };
    const [disputed] = await buyersOf(creator.id);
    await dispute(disputed);
    expect(await readPayout(creator.id)).toMatchObject({ status: "stopped", amountCents: 11_200 });
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      heldCents: 2800,
      inPayoutCents: 0,
      payableCents: 3 * 2800,
    });
    expect(await alertsAbout(id)).toEqual(["payout-stopped"]);
    expect(await readEmailsTo(creator.id, "payout-changed")).toMatchObject([
      { subject: "Your payout was stopped" },
    ]);
    for (const action of [startPayout, markShownPayoutPaid])
      expect(await action(admin.id, id)).toEqual({ ok: false, refusal: "stopped" });
    expect(await exportTestPayouts([id])).toMatchObject({ refusal: "not-processing" });
    expect(await withdrawShownExport(admin.id, id, "x")).toEqual({ ok: false, refusal: "stopped" });
    expect((await listPayouts({ payoutIds: [id], isPaid: false })).payouts).toEqual([]);
    // The dispute is won: all four are payable, and a new payout can be requested.
    await transaction((tx) => releaseEarnings(tx, { buyerId: disputed ?? "", reason: "test" }));
    expect(await requestPayout(creator.id)).toMatchObject({ ok: true, amountCents: 11_200 });
  });

  it("keeps a reduced payout of R100 or more and leaves other payouts unchanged", async () => {
    const creators = await createPayouts(5, 5);
    const [one, other] = creators;
    const buyer = await makeUser({ coins: 8 });
    const [disputed] = await buyersOf(one?.creator.id ?? "");
    await dispute(buyer.id);
    await dispute(disputed);
    expect(await readPayout(one?.creator.id ?? "")).toMatchObject({ amountCents: 11_200 });
    expect(await readPayout(other?.creator.id ?? "")).toMatchObject({
      amountCents: 14_000,
      removedCents: 0,
      status: "requested",
    });
    expect(await alertsAbout(other?.id ?? "")).toEqual([]);
  });

  it("keeps an exported payout, alerts, and holds when the export is withdrawn", async () => {
    const { id, creator } = await createProcessingPayout(6);
    await exportTestPayouts([id]);
    const [disputed, decided] = await buyersOf(creator.id);
    await dispute(disputed);
    await dispute(decided);
    expect(await readPayout(creator.id)).toMatchObject({ amountCents: 6 * 2800, removedCents: 0 });
    expect((await listPayouts({ payoutIds: [id] })).payouts).toMatchObject([
      { disputedCents: 5600 },
    ]);
    expect(await alertsAbout(id)).toEqual(["exported-payout-disputed"]);
    // One dispute is decided before the withdrawal, so its earning is then held for review.
    await transaction((tx) => releaseEarnings(tx, { buyerId: decided ?? "", reason: "test" }));
    expect((await listPayouts({ payoutIds: [id] })).payouts).toMatchObject([
      { disputedCents: 2800 },
    ]);
    expect(await withdrawShownExport(admin.id, id, "Stopped at the bank")).toEqual({ ok: true });
    expect(await readPayout(creator.id)).toMatchObject({
      amountCents: 4 * 2800,
      removedCents: 5600,
      status: "processing",
    });
    const held = (await listHeldEarnings({ limit: 100 })).earnings.filter(
      (earning) => earning.creatorId === creator.id,
    );
    expect(held.map((earning) => [earning.buyerId, earning.heldFor]).sort()).toEqual(
      [
        [disputed, "dispute"],
        [decided, "review"],
      ].sort(),
    );
    await transaction((tx) => releaseEarnings(tx, { buyerId: disputed ?? "", reason: "test" }));
    for (const each of held.filter((one) => one.heldFor === "review"))
      expect(await releaseEarning(admin.id, each.saleId)).toEqual({ ok: true });
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      heldCents: 0,
      payableCents: 5600,
    });
  });

  it("leaves a paid payout unchanged", async () => {
    const { id, creator } = await createProcessingPayout();
    await exportTestPayouts([id]);
    await markShownPayoutPaid(admin.id, id);
    await dispute((await buyersOf(creator.id))[0]);
    expect(await readPayout(creator.id)).toMatchObject({ status: "paid", amountCents: 11_200 });
    expect(await alertsAbout(id)).toEqual([]);
    expect(await readEmailsTo(creator.id, "payout-changed")).toEqual([]);
  });

  it("counts each earning as removed or disputed when it arrives during an export", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const { id, creator } = await createProcessingPayout(6);
      const [disputed, other] = await buyersOf(creator.id);
      const requests = [
        () => dispute(disputed),
        () => exportTestPayouts([id]),
        () => dispute(other),
      ];
      if (round % 2 === 1) requests.reverse();
      await Promise.all(requests.map((send) => send()));
      const payout = await readPayout(creator.id);
      const [listed] = (await listPayouts({ payoutIds: [id] })).payouts;
      expect(payout.exportId).not.toBeNull();
      expect(payout.removedCents + (listed?.disputedCents ?? 0)).toBe(5600);
      expect(payout.amountCents).toBe(6 * 2800 - payout.removedCents);
      outcomes.add(`${payout.removedCents}`);
      await expectInvariantsToHold();
      await exportTestPayouts([id], [payout.exportId ?? ""]);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it("leaves no held earning in a payout requested at the same time", async () => {
    for (let round = 0; round < 4; round += 1) {
      const creator = await creatorWith(6);
      later(14);
      const [disputed] = await buyersOf(creator.id);
      const requests = [() => dispute(disputed), () => requestPayout(creator.id)];
      if (round % 2 === 1) requests.reverse();
      await Promise.all(requests.map((send) => send()));
      expect((await readPayout(creator.id)).amountCents).toBe(5 * 2800);
      expect(await readEarningsSummary(creator.id)).toMatchObject({
        heldCents: 2800,
        inPayoutCents: 5 * 2800,
      });
    }
  });

  it("removes each earning once for concurrent disputes, without a deadlock", async () => {
    const [payout] = await createPayouts(9);
    const buyers = await buyersOf(payout?.creator.id ?? "");
    await Promise.all(buyers.slice(0, 4).map((buyer) => dispute(buyer)));
    expect(await readPayout(payout?.creator.id ?? "")).toMatchObject({
      amountCents: 5 * 2800,
      removedCents: 4 * 2800,
    });
    await Promise.all(buyers.slice(4).map((buyer) => dispute(buyer)));
    expect(await readPayout(payout?.creator.id ?? "")).toMatchObject({ status: "stopped" });
  });
});

describe("a void race of a sale that is in a payout", () => {
  /** Creates a payout of seven sales of a race card and of as many of another one. Returns the tips of the first. */
  async function createPayoutOfTwoCards() {
    const creator = await creatorWith(7);
    const other = await publishRaceCard({ creatorId: creator.id, venue: "greyville" });
    for (let index = 0; index < 7; index += 1) {
      const { id } = await makeUser({ coins: 4 });
      await unlockRaceCardAs(id, other);
    }
    later(14);
    const payout = await requestPayout(creator.id);
    if (!payout.ok) throw new Error(payout.refusal);
    const { rows } = await pool().query<{ race_card_id: string; tip_ids: string[] }>(
      "select race_card_id, tip_ids from sales where creator_id = $1 order by id limit 1",
      [creator.id],
    );
    const [{ race_card_id: raceCardId, tip_ids: tipIds } = { race_card_id: "", tip_ids: [] }] =
      rows;
    return { creator, id: payout.payoutId, raceCardId, tipIds };
  }

  const enter = async (tipIds: string[], result: "void" | "lost" = "void") => {
    for (const tipId of tipIds)
      await enterTipResultAsTwo(admin.id, { tipId, result, reason: "Abandoned" });
  };
  const drain = () => drainQueue([returnCoins]);

  it("takes its earnings out, alerts the operator and emails the creator once", async () => {
    for (const isStarted of [false, true]) {
      const { creator, id, raceCardId, tipIds } = await createPayoutOfTwoCards();
      const [unaffected] = await createPayouts(4);
      if (isStarted) await startPayout(admin.id, id);
      await enter(tipIds);
      await drain();
      expect(await readPayout(creator.id)).toMatchObject({
        amountCents: 7 * 2800,
        removedCents: 7 * 2800,
        status: isStarted ? "processing" : "requested",
      });
      expect(await readEarningsSummary(creator.id)).toMatchObject({
        inPayoutCents: 7 * 2800,
        reversedCents: 7 * 2800,
        heldCents: 0,
        payableCents: 0,
      });
      expect(await alertsAbout(id)).toEqual(["payout-reduced"]);
      expect((await listAuditActions(id))[0]).toBe("reduce-payout");
      expect(await readEmailsTo(creator.id, "payout-changed")).toMatchObject([
        { subject: "Your payout has changed" },
      ]);
      expect((await readPayout(unaffected?.creator.id ?? "")).amountCents).toBe(4 * 2800);
      const params = { raceCardIds: [raceCardId], soldUntil: now().toISOString() };
      await returnCoins.run(params, { isLast: false });
      expect((await readPayout(creator.id)).amountCents).toBe(7 * 2800);
      expect(await readEmailsTo(creator.id, "payout-changed")).toHaveLength(1);
      await expectInvariantsToHold();
    }
  });

  it("makes what is left of its earnings payable again", async () => {
    const { creator, tipIds } = await createPayoutOfTwoCards();
    await enter(tipIds.slice(0, 1));
    await drain();
    // One of three races: 2 of 4 coins.
    expect(await readEarningsSummary(creator.id)).toMatchObject({
      inPayoutCents: 7 * 2800,
      payableCents: 7 * 1400,
    });
  });

  it("leaves an exported payout unchanged, and takes the earnings out when it is withdrawn", async () => {
    const { creator, id, tipIds } = await createPayoutOfTwoCards();
    await startPayout(admin.id, id);
    expect(await exportTestPayouts([id])).toMatchObject({ ok: true });
    await enter(tipIds);
    await drain();
    expect(await readPayout(creator.id)).toMatchObject({ amountCents: 14 * 2800, removedCents: 0 });
    expect(await withdrawShownExport(admin.id, id, "Stopped at the bank")).toEqual({ ok: true });
    expect(await readPayout(creator.id)).toMatchObject({
      amountCents: 7 * 2800,
      removedCents: 7 * 2800,
      status: "processing",
    });
    expect(await readEarningsSummary(creator.id)).toMatchObject({ reversedCents: 7 * 2800 });
  });

  it("leaves a paid payout unchanged", async () => {
    const { creator, id, tipIds } = await createPayoutOfTwoCards();
    await startPayout(admin.id, id);
    await exportTestPayouts([id]);
    await markShownPayoutPaid(admin.id, id);
    await enter(tipIds);
    await drain();
    expect(await readPayout(creator.id)).toMatchObject({ status: "paid", amountCents: 14 * 2800 });
    expect(await readEmailsTo(creator.id, "payout-changed")).toEqual([]);
  });

  it("refuses an export until its earnings are out of the payout", async () => {
    const { creator, id, tipIds } = await createPayoutOfTwoCards();
    await startPayout(admin.id, id);
    await enter(tipIds);
    expect(await exportTestPayouts([id])).toEqual({
      ok: false,
      refusal: "results-changed",
      creatorIds: [creator.id],
    });
    expect(await exportTestPayouts([id])).toMatchObject({
      ok: true,
      export: { totalCents: 7 * 2800 },
    });
    await drain();
  });

  it("is either taken out or exported when it arrives during an export", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { creator, id, tipIds } = await createPayoutOfTwoCards();
      await startPayout(admin.id, id);
      if (round % 2 === 1) await enter(tipIds);
      const [exported] = await Promise.all([
        exportTestPayouts([id]),
        round % 2 === 1 ? drain() : enter(tipIds).then(drain),
      ]);
      const { amountCents, exportId } = await readPayout(creator.id);
      expect(exportId !== null).toBe(exported.ok);
      expect([7 * 2800, 14 * 2800]).toContain(amountCents);
      if (exported.ok) expect(exported.export.totalCents).toBe(amountCents);
      await drain();
      await expectInvariantsToHold();
    }
  });
});

describe("payouts due on the 15th", () => {
  it("match each creator's summary and the payouts of the pay day run", async () => {
    const largeCreator = await creatorWith(6);
    const smallCreator = await creatorWith(2);
    const unknown = await creatorWith(4, { details: false });
    const requestingCreator = await creatorWith(5);
    // Sales of the 1st become payable during the 15th, after its run.
    freezeClock(instantAt("2026-11-01", "09:00"));
    const first = await publishRaceCard({ creatorId: largeCreator.id, venue: "greyville" });
    await unlockRaceCardAs((await makeUser({ coins: 4 })).id, first);
    later(2);
    await requestPayout(requestingCreator.id);
    await rollUpEarnings();
    const late = await publishRaceCard({ creatorId: largeCreator.id, venue: "vaal" });
    const { id } = await makeUser({ coins: 4 });
    await unlockRaceCardAs(id, late);

    const list = await listDuePayouts();
    expect(list.payDay).toBe("2026-11-15");
    const dueTo = (creatorId: string) => list.due.find((payout) => payout.creatorId === creatorId);
    expect(dueTo(largeCreator.id)).toMatchObject({ dueCents: 16_800, accountLast4: "7890" });
    expect(dueTo(unknown.id)).toMatchObject({ dueCents: 11_200, accountLast4: null });
    expect(dueTo(smallCreator.id)).toBeUndefined();
    expect(dueTo(requestingCreator.id)).toBeUndefined();
    for (const creator of [largeCreator, smallCreator, unknown, requestingCreator])
      expect(dueTo(creator.id)?.dueCents ?? 0).toBe(
        (await readEarningsSummary(creator.id)).dueCents,
      );
    expect(list.dueCents).toBe(list.due.reduce((sum, each) => sum + each.dueCents, 0));
    expect(list.dueCreators).toBe(list.due.length);
    expect(list.carriedCents).toBeGreaterThanOrEqual(5600);

    freezeClock(instantAt("2026-11-15", "06:00"));
    await payDayRun.run({}, { isLast: false });
    const { payouts } = await listPayouts({
      creatorIds: [largeCreator.id, smallCreator.id, unknown.id],
    });
    expect(payouts).toMatchObject([{ creatorId: largeCreator.id, amountCents: 16_800 }]);
  });
});

describe("the list of due payouts", () => {
  it("returns pages, largest first, with the totals on each page", async () => {
    for (const sales of [5, 4, 4, 4, 6]) await creatorWith(sales);
    const whole = await listDuePayouts({ limit: 1000 });
    expect(whole.next).toBeNull();
    expect(whole.due.map((payout) => payout.dueCents)).toEqual(
      whole.due.map((payout) => payout.dueCents).toSorted((a, b) => b - a),
    );

    const paged: typeof whole.due = [];
    let cursor: string | null = null;
    do {
      const page: typeof whole = await listDuePayouts({ cursor, limit: 2 });
      expect(page.due.length).toBeLessThanOrEqual(2);
      const { due: _, next, ...sums } = page;
      expect(whole).toMatchObject(sums);
      paged.push(...page.due);
      cursor = next;
    } while (cursor);
    expect(paged).toEqual(whole.due);

    const past = `1_${whole.due[0]?.creatorId}`;
    expect(await listDuePayouts({ cursor: past })).toMatchObject({
      due: [],
      next: null,
      dueCents: whole.dueCents,
    });
    expect((await listDuePayouts({ cursor: "no such place" })).due).toEqual(
      (await listDuePayouts()).due,
    );
  });
});

describe("the admin list of payouts", () => {
  it("filters, sorts and pages", async () => {
    const payouts = await createPayouts(4, 8, 6);
    const creatorIds = payouts.map((payout) => payout.creator.id);
    await startPayout(admin.id, payouts[1]?.id ?? "");
    await exportForBank(admin.id, payouts[1]?.id ?? "");
    await markShownPayoutPaid(admin.id, payouts[1]?.id ?? "");
    const amounts = (list: Awaited<ReturnType<typeof listPayouts>>) =>
      list.payouts.map((payout) => payout.amountCents);
    expect(amounts(await listPayouts({ creatorIds, isPaid: false }))).toHaveLength(2);
    expect(amounts(await listPayouts({ creatorIds, isPaid: true }))).toEqual([22_400]);
    const first = await listPayouts({ creatorIds, order: "largest", limit: 2 });
    expect(amounts(first)).toEqual([22_400, 16_800]);
    expect(
      amounts(await listPayouts({ creatorIds, order: "largest", cursor: first.next })),
    ).toEqual([11_200]);
    expect(await listPayouts({ payoutIds: ["no id"] })).toEqual({ payouts: [], next: null });
  });
});
