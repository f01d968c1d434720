import { randomUUID } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { api } from "#api.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { checkProviders } from "#payments/check-providers.server.ts";
import {
  fakePaystackEvents,
  fakePaystackTransactions,
  fakePaystackTransfers,
} from "#payments/fake-paystack/tables.server.ts";
import { ensureRecipient, settleFakeTransfer } from "#payments/fake-paystack/transfers.server.ts";
import { reconcilePayments, returnCoins } from "#payments/payments.server.ts";
import { paystackGateway, signWebhook } from "#payments/paystack/gateway.server.ts";
import { requestPayout } from "#payouts/create-payout.server.ts";
import { exportPayouts } from "#payouts/export-payouts.server.ts";
import { listPayouts } from "#payouts/list-payouts.server.ts";
import { markPayoutPaid } from "#payouts/mark-payout-paid.server.ts";
import { writeBankDetails } from "#payouts/save-bank-details.server.ts";
import { startPayout } from "#payouts/start-payout.server.ts";
import { payoutTransfers } from "#payouts/tables.server.ts";
import { applyTransfer } from "#payouts/transfers/apply-transfer.server.ts";
import { askAboutTransfer } from "#payouts/transfers/ask-about-transfer.server.ts";
import { releaseTransfers } from "#payouts/transfers/release-transfers.server.ts";
import {
  listContradictedTransfers,
  resolveTransfer,
} from "#payouts/transfers/resolve-transfer.server.ts";
import {
  followTransfers,
  sendTransfer,
  syncTransfer,
} from "#payouts/transfers/send-transfer.server.ts";
import { withdrawExport } from "#payouts/withdraw-export.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database, pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { listAlerts } from "#platform/list-alerts.server.ts";
import { buildLocalUrl } from "#platform/local-url.server.ts";
import { FAKE_API_PATH } from "#platform/paystack-api.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { returnSalesAfterRaces, unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  exportForBank,
  holdEarningsOfBuyer,
  makeAdmin,
  makeTipster,
  makeUser,
  markShownPayoutPaid,
  type Person,
  publishRaceCard,
  readExportId,
  reportRaceDay,
  withdrawShownExport,
} from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readWallet } from "#wallet/wallet.server.ts";

const CENTS = 11_200;
const FILE = { format: "generic", actionDate: "2026-11-04" } as const;
const configured = { payoutProvider: env().payoutProvider, paystack: env().paystack };

let admin: Person;
let requests: { call: string; body: Record<string, unknown> }[];
beforeAll(() => Object.assign(env(), { payoutProvider: "paystack" }));
beforeEach(async () => {
  stubFetchInProcess();
  recordRequests();
  freezeClock(instantAt("2026-10-20", "08:00"));
  admin = await makeAdmin();
});
afterEach(async () => {
  await expectInvariantsToHold();
  const isPending = eq(payoutTransfers.status, "pending");
  const refusal = new GatewayError("the test is over", { problem: "refused" });
  for (const { reference } of await database().select().from(payoutTransfers).where(isPending))
    await applyTransfer(reference, { refusal });
  // Otherwise the next test reads them as well.
  await pool().query(
    "update payout_transfers set provider_status = 'failed' where status = 'failed'",
  );
  freezeClock(null);
});
afterAll(() => {
  Object.assign(env(), configured);
  vi.unstubAllGlobals();
});

const later = (minutes: number) => freezeClock(new Date(now().getTime() + minutes * 60_000));
const DAYS = 24 * 60;

/** Records what is asked of the provider. */
function recordRequests(): void {
  requests = [];
  const original = fetch;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const call = `${init?.method ?? "GET"} ${new URL(url).pathname.replace("/demo/paystack", "")}`;
    requests.push({ call, body: JSON.parse(String(init?.body ?? "{}")) });
    return await original(url, init);
  });
}

const countSends = () => requests.filter(({ call }) => call === "POST /transfer").length;

/** Answers one call in place of the provider; null handles it and loses the answer, "lost" loses the request. */
function answer(
  call: string,
  make: null | "lost" | ((response: Response) => Response | Promise<Response>),
  times = 1,
): void {
  const original = fetch;
  let left = times;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const isCall = `${init?.method ?? "GET"} ${new URL(url).pathname}$`.includes(call);
    if (!isCall || left === 0) return await original(url, init);
    left -= 1;
    if (make === "lost") throw new TypeError("fetch failed");
    const response = await original(url, init);
    if (make === null) throw new TypeError("fetch failed");
    return await make(response);
  });
}

/** Changes the transfer that the provider reports. */
const change = (values: Record<string, unknown>) => async (response: Response) => {
  const body = (await response.json()) as { data: object };
  return Response.json({ ...body, data: { ...body.data, ...values } });
};

const notFound = () =>
  Response.json(
    { status: false, message: "Transfer not found", code: "transfer_not_found" },
    { status: 404 },
  );

/** Creates a payout in processing of R112.00, to an account whose last digits say what the fake makes of it. */
async function makePayout({
  digits = "4321",
  isChecked = true,
  creator = "",
  venue = "kenilworth",
  sales = 4,
} = {}) {
  freezeClock(instantAt("2026-10-20", "08:00"));
  const creatorId = creator || (await makeTipster()).id;
  await writeBankDetails(creatorId, bankDetails(digits), { isChecked });
  const { raceCardId } = await publishRaceCard({ creatorId, venue });
  const buyers: string[] = [];
  for (let index = 0; index < sales; index += 1) {
    const { id } = await makeUser({ coins: 4 });
    await unlockRaceCardAs(id, { raceCardId });
    buyers.push(id);
  }
  later(15 * DAYS);
  const result = await requestPayout(creatorId);
  if (!result.ok) throw new Error(result.refusal);
  await startPayout(admin.id, result.payoutId);
  return { id: result.payoutId, creatorId, buyers };
}

function bankDetails(digits: string) {
  return {
    holder: "S. Dube",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: `123456${digits}`,
    accountType: "savings" as const,
  };
}

/** Releases a payout and returns the reference of its transfer. */
async function release(payoutId: string): Promise<string> {
  const result = await releaseTransfers(admin.id, [payoutId]);
  if (!result.ok) throw new Error(result.refusal);
  return (await readTransferOf(payoutId)).reference;
}

const send = (reference: string) => sendTransfer.run({ reference }, { isLast: false });
const follow = async () => {
  later(5);
  await followTransfers.run({}, { isLast: false });
};
const settle = (reference: string, status: "success" | "failed" | "reversed") =>
  settleFakeTransfer.run({ reference, status }, { isLast: false });

async function readTransferOf(payoutId: string) {
  const [transfer] = await database()
    .select()
    .from(payoutTransfers)
    .where(eq(payoutTransfers.payoutId, payoutId))
    .orderBy(desc(payoutTransfers.createdAt), desc(payoutTransfers.reference));
  if (!transfer) throw new Error("no transfer");
  return transfer;
}

async function readPayout(payoutId: string) {
  const [payout] = (await listPayouts({ payoutIds: [payoutId] })).payouts;
  if (!payout) throw new Error("no payout");
  return payout;
}

const countMade = (reference: string) =>
  database().$count(fakePaystackTransfers, eq(fakePaystackTransfers.reference, reference));

async function deliver(reference: string, type: string): Promise<number> {
  const [event] = await database()
    .select()
    .from(fakePaystackEvents)
    .where(and(eq(fakePaystackEvents.reference, reference), eq(fakePaystackEvents.type, type)));
  if (!event) throw new Error(`no ${type}`);
  return await post(event.body);
}

async function post(body: string, signature = signWebhook(body)): Promise<number> {
  const headers = { "Content-Type": "application/json", "x-paystack-signature": signature };
  const response = await api().request("/webhooks/paystack", { method: "POST", headers, body });
  return response.status;
}

async function readOwedCents(creatorId: string): Promise<number> {
  const { rows } = await pool().query(
    "select coalesce(sum(amount), 0)::int as cents from ledger_postings where owner_id = $1 and account = 'payable'",
    [creatorId],
  );
  return rows[0].cents;
}

async function listEmails(userId: string): Promise<string[]> {
  const { rows } = await pool().query(
    "select kind from emails where user_id = $1 and kind like 'payout-%' order by created_at, id",
    [userId],
  );
  return rows.map(({ kind }) => kind);
}

const listAlertsOf = async (subject: string) =>
  (await listAlerts({ limit: 100 })).alerts
    .filter((alert) => alert.subject === subject)
    .map(({ kind }) => kind);

const PAID = { status: "paid", amountCents: CENTS };
const PENDING = { status: "processing", transfer: {} };
const PAYABLE_AGAIN = { status: "processing", transfer: null, exportId: null };

describe("a release", () => {
  it("sends the amount to the account, and pays the payout when the provider reports success", async () => {
    const { id, creatorId } = await makePayout();
    const reference = await release(id);
    expect(await readPayout(id)).toMatchObject({ ...PENDING, transfer: { sentAt: null } });
    await send(reference);
    expect(requests.filter(({ call }) => call.startsWith("POST /transfer"))).toMatchObject([
      {
        body: {
          type: "basa",
          currency: "ZAR",
          bank_code: "470010",
          name: "S. Dube",
          account_number: "1234564321",
        },
      },
      { body: { amount: CENTS, currency: "ZAR", reference, source: "balance" } },
    ]);
    expect(await readPayout(id)).toMatchObject({ ...PAID, accountLast4: "4321" });
    expect(await readOwedCents(creatorId)).toBe(0);
    expect(await listEmails(creatorId)).toEqual(["payout-requested", "payout-paid"]);
    const { entries } = await readAudit({ subject: id, limit: 10 });
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["mark-payout-paid", null],
      ["start-payout", admin.id],
    ]);
  });

  it("is refused for other payouts, unchecked accounts, a low balance and without an answer", async () => {
    const own = await makePayout();
    const unchecked = await makePayout({ isChecked: false });
    const inFile = await makePayout();
    await exportForBank(admin.id, inFile.id);
    const { id } = await makePayout();
    const refusalOf = async (...ids: string[]) => {
      const result = await releaseTransfers(admin.id, ids);
      return result.ok ? "released" : result.refusal;
    };
    expect(await refusalOf()).toBe("nothing-chosen");
    expect(await refusalOf(randomUUID(), "x")).toBe("nothing-chosen");
    expect(await refusalOf(inFile.id)).toBe("already-exported");
    expect(await refusalOf(id, unchecked.id)).toBe("account-not-checked");
    expect(await releaseTransfers(own.creatorId, [own.id])).toMatchObject({ refusal: "yourself" });
    answer("/balance$", "lost");
    expect(await refusalOf(id)).toBe("unreachable");
    answer("/balance$", () =>
      Response.json({ status: true, data: [{ currency: "ZAR", balance: CENTS - 1 }] }),
    );
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({
      refusal: "balance-too-low",
      neededCents: CENTS,
      balanceCents: CENTS - 1,
    });
    expect(await listAlertsOf("paystack")).toContain("transfer-balance-low");
    Object.assign(env(), { payoutProvider: "bank-file" });
    expect(await refusalOf(id)).toBe("transfers-off");
    Object.assign(env(), { payoutProvider: "paystack" });
    expect(await database().$count(payoutTransfers, eq(payoutTransfers.payoutId, id))).toBe(0);
    expect(await refusalOf(id)).toBe("released");
    expect(await refusalOf(id)).toBe("transfer-in-progress");
  });

  it("counts what was released before and not sent yet against the balance", async () => {
    const first = await makePayout();
    const second = await makePayout();
    await release(first.id);
    answer("/balance$", () =>
      Response.json({ status: true, data: [{ currency: "ZAR", balance: 2 * CENTS - 1 }] }),
    );
    expect(await releaseTransfers(admin.id, [second.id])).toMatchObject({
      refusal: "balance-too-low",
    });
  });

  it("makes one transfer of a payout when two admins release it at the same time", async () => {
    const { id } = await makePayout();
    const other = await makeAdmin();
    const results = await Promise.all(
      [admin, other, admin].map((actor) => releaseTransfers(actor.id, [id])),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { reference } = await readTransferOf(id);
    await Promise.all([send(reference), send(reference), send(reference)]);
    expect(await countMade(reference)).toBe(1);
    expect(countSends()).toBe(1);
  });

  it("locks the payout against a file, a second payment and a withdrawal after it was sent", async () => {
    const { id } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    expect(await markShownPayoutPaid(admin.id, id)).toMatchObject({
      refusal: "transfer-in-progress",
    });
    expect(await exportPayouts(admin.id, { payoutIds: [id], ...FILE })).toMatchObject({
      refusal: "transfer-in-progress",
    });
    later(60);
    expect(await withdrawShownExport(admin.id, id, "Wrong")).toMatchObject({
      refusal: "transfer-in-progress",
    });
    expect(await readPayout(id)).toMatchObject(PENDING);
  });

  it("locks the payout in the database", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    const isOfPayout = `where id = '${id}'`;
    const refusal = `payout ${id} is being transferred and cannot change`;
    await expect(pool().query(`update payouts set export_id = null ${isOfPayout}`)).rejects.toThrow(
      refusal,
    );
    await expect(
      pool().query(
        `update payouts set status = 'paid', paid_at = now(),
           transaction_id = (select max(id) from ledger_transactions) ${isOfPayout}`,
      ),
    ).rejects.toThrow(refusal);
    await send(reference);
    expect(await readPayout(id)).toMatchObject(PAID);
  });

  it("that was not sent yet can be withdrawn, and is not sent then", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    expect(await withdrawShownExport(admin.id, id, "Not now")).toEqual({ ok: true });
    expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
    await send(reference);
    expect(countSends()).toBe(0);
    expect(await release(id)).not.toBe(reference);
  });

  it("is not withdrawn by an admin who was shown the payment file before it", async () => {
    const { id } = await makePayout();
    await exportForBank(admin.id, id);
    const shownExportId = await readExportId(id);
    expect(await withdrawShownExport(admin.id, id, "Rejected")).toEqual({ ok: true });
    const reference = await release(id);
    expect(await withdrawExport(admin.id, id, { shownExportId, reason: "Rejected" })).toMatchObject(
      { refusal: "export-changed" },
    );
    expect(await markPayoutPaid(admin.id, id, shownExportId)).toMatchObject({
      refusal: "transfer-in-progress",
    });
    await send(reference);
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(await markPayoutPaid(admin.id, id, shownExportId)).toMatchObject({
      refusal: "export-changed",
    });
  });

  it("leaves payouts of a payment file to be completed", async () => {
    const { id } = await makePayout();
    await exportForBank(admin.id, id);
    expect(await markShownPayoutPaid(admin.id, id)).toEqual({ ok: true });
  });
});

describe("a payout whose earlier transfer counts as failed", () => {
  /** Withdraws a transfer that another account than the key's has, and that is in progress there. */
  async function makeWithdrawn() {
    const payout = await makePayout({ digits: "0001" });
    const reference = await release(payout.id);
    answer("POST /demo/paystack/transfer$", null);
    answer("/transfer/verify/", notFound, 2);
    await send(reference);
    later(11);
    expect(await withdrawShownExport(admin.id, payout.id, "In no dashboard")).toEqual({ ok: true });
    return { ...payout, reference };
  }

  it.each(["pending", "received", "otp", "a new status"])(
    "is not sent again while Paystack reports %s, and counts as paid after a success",
    async (status) => {
      const { id, creatorId, reference } = await makeWithdrawn();
      answer("/transfer/verify/", change({ status }), 2);
      expect(await releaseTransfers(admin.id, [id])).toMatchObject({
        refusal: "transfer-contradicted",
        creatorIds: [creatorId],
      });
      expect(await exportPayouts(admin.id, { payoutIds: [id], ...FILE })).toMatchObject({
        refusal: "transfer-contradicted",
      });
      expect(await listAlertsOf(id)).toContain("transfer-contradicted");
      await settle(reference, "success");
      await follow();
      expect(await readPayout(id)).toMatchObject(PAID);
      expect(await readOwedCents(creatorId)).toBe(0);
      expect(await database().$count(payoutTransfers, eq(payoutTransfers.payoutId, id))).toBe(1);
    },
  );

  it("is sent again when Paystack reports a failure after it was in progress", async () => {
    const { id, reference } = await makeWithdrawn();
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({
      refusal: "transfer-contradicted",
    });
    await settle(reference, "failed");
    expect(await release(id)).not.toBe(reference);
  });

  it("is not sent again after a failure that Paystack takes back", async () => {
    const { id } = await makePayout({ digits: "0001" });
    await send(await release(id));
    answer("/transfer/verify/", change({ status: "failed" }));
    await follow();
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({
      refusal: "transfer-contradicted",
    });
  });

  it("is not sent again when Paystack reports another amount", async () => {
    const { id } = await makeWithdrawn();
    answer("/transfer/verify/", change({ status: "pending", amount: CENTS + 1 }));
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({
      refusal: "transfer-contradicted",
    });
  });

  it("is in no payment file before Paystack was asked again", async () => {
    const { id } = await makeWithdrawn();
    answer("/transfer/verify/", "lost");
    expect(await exportPayouts(admin.id, { payoutIds: [id], ...FILE })).toMatchObject({
      refusal: "unreachable",
    });
    answer("/transfer/verify/", change({ status: "success" }), 3);
    expect(await exportPayouts(admin.id, { payoutIds: [id], ...FILE })).toMatchObject({
      ok: false,
    });
    expect(await readPayout(id)).toMatchObject(PAID);
  });

  it("is in a payment file after Paystack has said that it failed", async () => {
    const { id } = await makePayout({ digits: "0003" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "failed");
    await follow();
    await exportForBank(admin.id, id);
    expect(await markShownPayoutPaid(admin.id, id)).toEqual({ ok: true });
  });
});

describe("a transfer", () => {
  it("that times out and then succeeds pays once, under one reference", async () => {
    const { id, creatorId } = await makePayout({ digits: "0002" });
    const reference = await release(id);
    await send(reference);
    expect(await readPayout(id)).toMatchObject(PENDING);
    await follow();
    await settle(reference, "success");
    await follow();
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(await countMade(reference)).toBe(1);
    expect(countSends()).toBe(1);
    expect(await readOwedCents(creatorId)).toBe(0);
  });

  it("whose request was lost is sent again with the same reference, not before ten minutes", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    answer("POST /demo/paystack/transfer$", "lost");
    await send(reference);
    await follow();
    expect(countSends()).toBe(0);
    await follow();
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(countSends()).toBe(1);
    expect(await countMade(reference)).toBe(1);
  });

  it("is sent by the next run when the process stopped after the release or before the request", async () => {
    const first = await makePayout();
    await release(first.id);
    await follow();
    expect(await readPayout(first.id)).toMatchObject(PAID);
    const second = await makePayout();
    const reference = await release(second.id);
    const { code } = await ensureRecipient({
      name: "S. Dube",
      accountNumber: "1234564321",
      bankCode: "470010",
    });
    // As after a stop between the mark and the request.
    await database()
      .update(payoutTransfers)
      .set({
        recipientCode: code,
        sentAt: now(),
        sendingUntil: new Date(now().getTime() + 10 * 60_000),
      })
      .where(eq(payoutTransfers.reference, reference));
    await follow();
    expect(await readPayout(second.id)).toMatchObject(PENDING);
    await follow();
    expect(await readPayout(second.id)).toMatchObject(PAID);
    expect(await countMade(reference)).toBe(1);
  });

  it("is not paid by the account of another key, and can be withdrawn while Paystack does not know it", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    // Sent with the key of an account that has this recipient; the answer was lost, then the key was changed.
    await database()
      .update(payoutTransfers)
      .set({ recipientCode: "RCP_of_another_account", sentAt: now() })
      .where(eq(payoutTransfers.reference, reference));
    await follow();
    expect(countSends()).toBe(1);
    expect(await readPayout(id)).toMatchObject(PENDING);
    expect(await listAlertsOf(id)).toEqual(["transfer-attention"]);
    await follow();
    expect(countSends()).toBe(2);
    expect(await withdrawShownExport(admin.id, id, "")).toMatchObject({
      refusal: "reason-missing",
    });
    expect(await withdrawShownExport(admin.id, id, "Not in either dashboard")).toEqual({
      ok: true,
    });
    expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
  });

  it("goes to the account of its release when the bank details change meanwhile", async () => {
    const { id, creatorId } = await makePayout();
    const reference = await release(id);
    await writeBankDetails(creatorId, bankDetails("9999"), { isChecked: true });
    await send(reference);
    expect(requests.find(({ call }) => call === "POST /transferrecipient")?.body).toMatchObject({
      account_number: "1234564321",
    });
    expect(await readPayout(id)).toMatchObject({ ...PAID, accountLast4: "4321" });
  });

  it("that fails makes the payout payable again, to the new account after 72 hours", async () => {
    const { id, creatorId } = await makePayout({ digits: "0003" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "failed");
    await follow();
    expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
    expect(await listAlertsOf(id)).toEqual(["transfer-failed"]);
    expect(await readOwedCents(creatorId)).toBe(CENTS);
    await writeBankDetails(creatorId, bankDetails("4321"), { isChecked: true });
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({ refusal: "bank-details-new" });
    later(3 * DAYS + 1);
    const second = await release(id);
    expect(second).not.toBe(reference);
    await send(second);
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(await readOwedCents(creatorId)).toBe(0);
  });

  it("that fails leaves out a sale that was made after its races, as was learnt meanwhile", async () => {
    const raceDate = "2026-10-20";
    freezeClock(instantAt(raceDate, "08:00"));
    const raceCard = await publishRaceCard({ venue: "greyville", raceDate, races: [1] });
    freezeClock(instantAt(raceDate, "15:30"));
    const lateBuyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(lateBuyer.id, raceCard);
    const { id } = await makePayout({ digits: "0001", creator: raceCard.creatorId });
    const reference = await release(id);
    await send(reference);
    await reportRaceDay(raceCard.venue.id, raceDate, [{ raceNumber: 1, time: "14:00" }]);
    await returnSalesAfterRaces.run({}, { isLast: false });
    await drainQueue([returnCoins]);
    expect((await readWallet(lateBuyer.id)).balanceCoins).toBe(4);
    expect(await readPayout(id)).toMatchObject({ ...PENDING, amountCents: CENTS + 2800 });
    answer("/transfer/verify/", change({ status: "failed" }));
    await follow();
    expect(await readPayout(id)).toMatchObject({ ...PAYABLE_AGAIN, amountCents: CENTS });
    expect(await readOwedCents(raceCard.creatorId)).toBe(CENTS);
  });

  it.each(["failed", "abandoned", "blocked", "rejected", "reversed"])(
    "with the final status %s makes the payout payable again",
    async (status) => {
      const { id } = await makePayout({ digits: "0001" });
      const reference = await release(id);
      await send(reference);
      answer("/transfer/verify/", change({ status }));
      await follow();
      expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
    },
  );

  it.each(["pending", "received", "processing", "a new status"])(
    "with the status %s is read again and not sent again",
    async (status) => {
      const { id } = await makePayout({ digits: "0001" });
      const reference = await release(id);
      answer("POST /demo/paystack/transfer$", change({ status }));
      await send(reference);
      answer("/transfer/verify/", change({ status }), 2);
      await follow();
      later(60);
      await follow();
      expect(await readPayout(id)).toMatchObject(PENDING);
      expect(countSends()).toBe(1);
    },
  );

  it("that waits for a one-time code, or for a day, raises an alert", async () => {
    const otp = await makePayout({ digits: "0005" });
    await send(await release(otp.id));
    expect(await listAlertsOf(otp.id)).toEqual(["transfer-attention"]);
    const slow = await makePayout({ digits: "0001" });
    await send(await release(slow.id));
    await follow();
    expect(await listAlertsOf(slow.id)).toEqual([]);
    later(DAYS);
    await follow();
    expect(await listAlertsOf(slow.id)).toEqual(["transfer-attention"]);
  });

  it("that the balance does not cover is payable again, with an alert", async () => {
    const { id } = await makePayout({ digits: "0009" });
    await send(await release(id));
    expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
    expect(await listAlertsOf("paystack")).toContain("transfer-balance-low");
  });

  it("is not sent while the key is refused, and sent afterwards", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    Object.assign(env(), { paystack: { ...env().paystack, secretKey: "sk_test_of_another" } });
    await database()
      .update(payoutTransfers)
      .set({ recipientCode: null })
      .where(eq(payoutTransfers.reference, reference));
    answer("", () => Response.json({ status: false, message: "Invalid key" }, { status: 401 }));
    await send(reference);
    Object.assign(env(), { paystack: configured.paystack });
    expect(await readTransferOf(id)).toMatchObject({ sentAt: null, sendingUntil: null });
    await send(reference);
    expect(await readPayout(id)).toMatchObject(PAID);
  });

  it("of another amount or currency is not booked and raises an alert", async () => {
    const { id } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    answer("/transfer/verify/", change({ status: "success", amount: CENTS + 1 }));
    await follow();
    answer("/transfer/verify/", change({ status: "success", currency: "NGN" }));
    await follow();
    expect(await readPayout(id)).toMatchObject(PENDING);
    expect(await listAlertsOf(id)).toEqual(["transfer-attention"]);
    answer("/transfer/verify/", change({ status: "failed", amount: CENTS + 1 }));
    await follow();
    expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
  });

  it("is not paid by the page of a proxy that says 404", async () => {
    const { id } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    later(30);
    answer("/transfer/verify/", () => new Response("<h1>Not Found</h1>", { status: 404 }));
    await expect(followTransfers.run({}, { isLast: false })).rejects.toThrow();
    expect(countSends()).toBe(1);
  });

  it("that the bank sends back after it was paid makes its earnings payable again", async () => {
    const { id, creatorId } = await makePayout({ digits: "0004" });
    const reference = await release(id);
    await send(reference);
    expect(await readPayout(id)).toMatchObject(PAID);
    await settle(reference, "reversed");
    expect(await deliver(reference, "transfer.reversed")).toBe(200);
    expect(await readPayout(id)).toMatchObject({ status: "stopped", transfer: null });
    expect(await readOwedCents(creatorId)).toBe(CENTS);
    expect(await listAlertsOf(id)).toEqual(["transfer-failed"]);
    expect(await listEmails(creatorId)).toContain("payout-returned");
    expect(await deliver(reference, "transfer.reversed")).toBe(200);
    expect(await askAboutTransfer(admin.id, id)).toEqual({ ok: true });
    expect(await readOwedCents(creatorId)).toBe(CENTS);
    expect(await requestPayout(creatorId)).toMatchObject({ ok: true, amountCents: CENTS });
  });

  it("whose return is announced before it can be read is read again", async () => {
    const { id, creatorId } = await makePayout({ digits: "0004" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "reversed");
    answer("/transfer/verify/", change({ status: "success" }));
    expect(await deliver(reference, "transfer.reversed")).toBe(503);
    expect(await readPayout(id)).toMatchObject(PAID);
    later(2);
    await reconcilePayments.run({}, { isLast: true });
    expect(await readPayout(id)).toMatchObject({ status: "stopped" });
    expect(await readOwedCents(creatorId)).toBe(CENTS);
  });

  it("whose return comes after transfers were turned off is found by polling", async () => {
    const { id } = await makePayout({ digits: "0004" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "reversed");
    Object.assign(env(), { payoutProvider: "bank-file" });
    await reconcilePayments.run({}, { isLast: true });
    Object.assign(env(), { payoutProvider: "paystack" });
    expect(await readPayout(id)).toMatchObject({ status: "stopped" });
  });

  it.each(["lost", "refused"] as const)(
    "does not stop the events of payments when the list of returns is %s",
    async (problem) => {
      await send(await release((await makePayout()).id));
      const reference = `${randomUUID()}.1`;
      await database()
        .insert(fakePaystackTransactions)
        .values({
          ...{ reference, customerEmail: "a@example.com", title: "5 coins", amountCents: 5000 },
          ...{ currency: "ZAR", callbackUrl: "/", cancelUrl: "/", isCardOnly: false },
          ...{ status: "success", channel: "card", createdAt: now(), paidAt: now() },
        });
      answer(
        "GET /demo/paystack/transfer$",
        problem === "lost"
          ? "lost"
          : () => Response.json({ status: false, message: "Not allowed" }, { status: 400 }),
      );
      const { events, unreadableIds } = await paystackGateway.listEvents(now(), {
        includesTransfers: true,
      });
      expect(events.map(({ id }) => id)).toContain(`charge:${reference}`);
      expect(unreadableIds).toEqual(problem === "lost" ? [] : ["transfer:list"]);
      await database()
        .delete(fakePaystackTransactions)
        .where(eq(fakePaystackTransactions.reference, reference));
    },
  );

  it("whose return had no webhook is found by polling", async () => {
    const { id } = await makePayout({ digits: "0004" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "reversed");
    await reconcilePayments.run({}, { isLast: true });
    expect(await readPayout(id)).toMatchObject({ status: "stopped" });
  });
});

describe("reports that contradict each other", () => {
  it("pay the payout when a success follows a failure and nothing has changed", async () => {
    const { id, creatorId } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    answer("/transfer/verify/", change({ status: "failed" }));
    await follow();
    expect(await readPayout(id)).toMatchObject(PAYABLE_AGAIN);
    await settle(reference, "success");
    // The release reads the transfer that failed once more.
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({ ok: false });
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(await readOwedCents(creatorId)).toBe(0);
    expect((await listAlertsOf(id)).sort()).toEqual(["transfer-contradicted", "transfer-failed"]);
  });

  it("raise an alert and fail the integrity check when the payout was sent again", async () => {
    const { id } = await makePayout({ digits: "0001" });
    const first = await release(id);
    await send(first);
    answer("/transfer/verify/", change({ status: "failed" }), 2);
    await follow();
    const second = await release(id);
    await send(second);
    await settle(first, "success");
    await deliver(first, "transfer.success");
    expect(await listAlertsOf(id)).toContain("transfer-contradicted");
    expect(await listContradictedTransfers()).toMatchObject([
      { reference: first, amountCents: CENTS, status: "failed", providerStatus: "success" },
    ]);
    await expect(expectInvariantsToHold()).rejects.toMatchObject({
      actual: [{ invariant: "43-transfers-match-payouts", rows: [{ subject: first }] }],
    });
    expect(await readPayout(id)).toMatchObject(PENDING);
    // The recipient paid it back through the bank.
    await settle(first, "reversed");
    await deliver(first, "transfer.reversed");
  });

  it("can be resolved once when the payout was reduced meanwhile and the money was claimed back", async () => {
    const { id, creatorId, buyers } = await makePayout({ digits: "0001", sales: 5 });
    const reference = await release(id);
    await send(reference);
    await holdEarningsOfBuyer(buyers[0] ?? "");
    answer("/transfer/verify/", change({ status: "failed" }));
    await follow();
    const resolve = (reason: string, actorId = admin.id) =>
      resolveTransfer(actorId, reference, reason);
    expect(await resolve("Claimed back")).toMatchObject({ refusal: "not-contradicted" });
    await settle(reference, "success");
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({
      refusal: "transfer-contradicted",
    });
    expect(await withdrawShownExport(admin.id, id, "Claimed back")).toMatchObject({
      refusal: "not-exported",
    });
    expect(await resolve(" ")).toMatchObject({ refusal: "reason-missing" });
    expect(await resolve("Mine", creatorId)).toMatchObject({ refusal: "yourself" });
    expect(await resolveTransfer(admin.id, randomUUID(), "x")).toMatchObject({
      refusal: "no-such-transfer",
    });
    await Promise.all([resolve("Claimed back"), resolve("Claimed back")]);
    expect(await resolve("Claimed back")).toEqual({ ok: true });
    const { entries } = await readAudit({ subject: id, limit: 10 });
    expect(entries.filter(({ action }) => action === "resolve-transfer")).toMatchObject([
      { actorId: admin.id, details: { reference, reason: "Claimed back" } },
    ]);
    const second = await release(id);
    await send(second);
    await settle(second, "success");
    await follow();
    expect(await readPayout(id)).toMatchObject(PAID);
  });

  it("refuse the next payout of a stopped one's earnings until the money was claimed back", async () => {
    const { id, creatorId, buyers } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    await holdEarningsOfBuyer(buyers[0] ?? "");
    answer("/transfer/verify/", change({ status: "failed" }));
    await follow();
    expect(await readPayout(id)).toMatchObject({ status: "stopped" });
    const next = await makePayout({
      digits: "0001",
      creator: creatorId,
      venue: "greyville",
    });
    expect(await readPayout(next.id)).toMatchObject({ amountCents: 3 * 2800 + CENTS });
    const pay = [
      () => releaseTransfers(admin.id, [next.id]),
      () => exportPayouts(admin.id, { payoutIds: [next.id], ...FILE }),
    ];
    for (const attempt of pay) {
      answer("/transfer/verify/", "lost");
      expect(await attempt()).toMatchObject({ refusal: "unreachable" });
      answer("/transfer/verify/", change({ status: "pending" }));
      expect(await attempt()).toMatchObject({ refusal: "transfer-contradicted" });
    }
    await settle(reference, "success");
    for (const attempt of pay)
      expect(await attempt()).toMatchObject({
        refusal: "transfer-contradicted",
        creatorIds: [creatorId],
      });
    expect(await resolveTransfer(admin.id, reference, "Claimed back")).toEqual({ ok: true });
    await release(next.id);
  });

  it("are resolved one at a time", async () => {
    const { id, creatorId, buyers } = await makePayout({ digits: "0001", sales: 5 });
    const references: string[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const reference = await release(id);
      await send(reference);
      // The payout is reduced, so that a late success does not pay it.
      await holdEarningsOfBuyer(buyers[attempt] ?? "");
      answer("/transfer/verify/", change({ status: "failed" }));
      await follow();
      references.push(reference);
      if (attempt === 0) answer("/transfer/verify/", change({ status: "failed" }));
    }
    for (const reference of references) await settle(reference, "success");
    for (const reference of references) await syncTransfer(reference);
    const isMine = (transfer: { creatorId: string }) => transfer.creatorId === creatorId;
    const listMine = async () =>
      (await listContradictedTransfers()).filter(isMine).map(({ reference }) => reference);
    expect(await listMine()).toEqual(references);
    await resolveTransfer(admin.id, references[0] ?? "", "Claimed back");
    expect(await listMine()).toEqual([references[1]]);
    await resolveTransfer(admin.id, references[1] ?? "", "Claimed back");
    expect(await listMine()).toEqual([]);
  });

  it("are resolved when a paid transfer counts as failed at the provider, and a later return is booked", async () => {
    const { id, creatorId } = await makePayout();
    const reference = await release(id);
    await send(reference);
    answer("/transfer/verify/", change({ status: "failed" }));
    await askAboutTransfer(admin.id, id);
    await expect(expectInvariantsToHold()).rejects.toMatchObject({
      actual: [{ invariant: "43-transfers-match-payouts", rows: [{ subject: reference }] }],
    });
    expect(await resolveTransfer(admin.id, reference, "On the statement")).toEqual({ ok: true });
    await expectInvariantsToHold();
    expect(await readPayout(id)).toMatchObject(PAID);
    await settle(reference, "reversed");
    await syncTransfer(reference);
    expect(await readPayout(id)).toMatchObject({ status: "stopped" });
    expect(await readOwedCents(creatorId)).toBe(CENTS);
  });

  it("are read for 90 days, and block only the tipster of a transfer that cannot be read", async () => {
    const { id, creatorId } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    answer("/transfer/verify/", change({ status: "failed" }));
    await follow();
    answer("/transfer/verify/", "lost", 2);
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({
      refusal: "unreachable",
      creatorIds: [creatorId],
    });
    later(90 * DAYS - 6);
    expect(await releaseTransfers(admin.id, [id])).toMatchObject({ refusal: "unreachable" });
    later(2);
    await release(id);
  });

  it("can be resolved when another amount was paid, by another admin than the payee", async () => {
    const { id, creatorId } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "success");
    answer("/transfer/verify/", change({ amount: CENTS + 1 }), 2);
    await follow();
    later(11);
    expect(await withdrawShownExport(creatorId, id, "Mine")).toMatchObject({ refusal: "yourself" });
    expect(await withdrawShownExport(admin.id, id, "Claimed back")).toEqual({ ok: true });
    const second = await release(id);
    expect(second).not.toBe(reference);
  });

  it("are ignored when an earlier status arrives after the final one", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    await send(reference);
    answer("/transfer/verify/", change({ status: "pending" }));
    expect(await askAboutTransfer(admin.id, id)).toEqual({ ok: true });
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(await readTransferOf(id)).toMatchObject({ providerStatus: "success" });
  });
});

describe("a webhook", () => {
  it("before the answer to the request pays the payout once", async () => {
    const { id, creatorId } = await makePayout();
    const reference = await release(id);
    answer("POST /demo/paystack/transfer$", async (response) => {
      await deliver(reference, "transfer.success");
      return response;
    });
    await send(reference);
    expect(await readPayout(id)).toMatchObject(PAID);
    expect(await readOwedCents(creatorId)).toBe(0);
    expect((await listEmails(creatorId)).filter((kind) => kind === "payout-paid")).toHaveLength(1);
  });

  it("carries no facts: the transfer is read", async () => {
    const { id } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    const body = JSON.stringify({
      event: "transfer.success",
      data: { reference, status: "success", amount: CENTS, currency: "ZAR" },
    });
    expect(await post(body)).toBe(200);
    expect(await readPayout(id)).toMatchObject(PENDING);
    expect(await post(body, signWebhook(body, "sk_test_another_key"))).toBe(400);
  });

  it("about a transfer of other software is ignored, and one that cannot be read now is kept", async () => {
    const foreign = JSON.stringify({ event: "transfer.success", data: { reference: "salary-1" } });
    expect(await post(foreign)).toBe(200);
    const { id } = await makePayout({ digits: "0001" });
    const reference = await release(id);
    await send(reference);
    await settle(reference, "success");
    answer("/transfer/verify/", "lost");
    expect(await deliver(reference, "transfer.success")).toBe(503);
    later(2);
    await reconcilePayments.run({}, { isLast: true });
    expect(await readPayout(id)).toMatchObject(PAID);
  });
});

describe("asking the provider", () => {
  it("applies what it says, and is refused without a transfer or an answer", async () => {
    const { id } = await makePayout({ digits: "0001" });
    expect(await askAboutTransfer(admin.id, "x")).toMatchObject({ refusal: "no-transfer" });
    expect(await askAboutTransfer(admin.id, id)).toMatchObject({ refusal: "no-transfer" });
    const reference = await release(id);
    expect(await askAboutTransfer(admin.id, id)).toMatchObject({ refusal: "no-transfer" });
    await send(reference);
    await settle(reference, "success");
    answer("/transfer/verify/", "lost");
    expect(await askAboutTransfer(admin.id, id)).toMatchObject({ refusal: "unreachable" });
    await Promise.all([askAboutTransfer(admin.id, id), askAboutTransfer(admin.id, id)]);
    expect(await readPayout(id)).toMatchObject(PAID);
  });
});

describe("the admin's pages", () => {
  async function open(person: Person): Promise<Browser> {
    const browser = new Browser();
    browser.applyCookies(await startSession(person.id, { codeVerifiedAt: now() }));
    return browser;
  }

  it("show a transfer in words, and say why an action is refused", async () => {
    const { id } = await makePayout({ digits: "0001" });
    const unchecked = await makePayout({ isChecked: false });
    const browser = await open(admin);
    const act = async (action: string, payout: string) =>
      await readVisibleText(await browser.post(`/admin/payouts/${action}`, { payout }));
    expect(await act("ask-provider", id)).toContain("nothing was sent to Paystack yet");
    expect(await act("transfer", unchecked.id)).toContain("The bank account was not checked");
    expect(await act("transfer", id)).toContain("1 transfer of R112.00 released");
    expect(await act("transfer", id)).toContain("already being transferred");
    const readList = async () => await readVisibleText(await browser.get("/admin/payouts"));
    expect(await readList()).toContain("Transfer released, not sent yet");
    expect(await readList()).toContain("Account not confirmed: no transfer");
    await send((await readTransferOf(id)).reference);
    expect(await readList()).toContain("Transfer accepted by Paystack, not paid yet");
    expect(await act("paid", id)).toContain("its transfer is in progress");
    expect(await act("ask-provider", id)).toContain("Paystack was asked about 1 payout");
    const statusOf = async (action: string, fields: Record<string, string>) =>
      (await browser.post(`/admin/payouts/${action}`, fields)).status;
    expect(await statusOf("transfer", {})).toBe(422);
    answer("/balance$", "lost");
    expect(await statusOf("transfer", { payout: unchecked.id })).toBe(503);
    answer("/transfer/verify/", "lost");
    expect(await statusOf("ask-provider", { payout: id })).toBe(503);
  });

  it("list a transfer that Paystack reports differently until it is resolved", async () => {
    const { id } = await makePayout();
    const reference = await release(id);
    await send(reference);
    answer("/transfer/verify/", change({ status: "failed" }));
    await askAboutTransfer(admin.id, id);
    const browser = await open(admin);
    const readList = async () => await readVisibleText(await browser.get("/admin/payouts"));
    expect(await readList()).toMatch(new RegExp(`${reference}.*R112\\.00.*paid.*failed`, "s"));
    const path = `/admin/payouts/transfers/${reference}/resolve`;
    const fields = { confirmed: "yes", reason: "On the statement" };
    expect((await (await open(await makeTipster())).post(path, fields)).ok).toBe(false);
    expect(await readList()).toContain(reference);
    expect(await readVisibleText(await browser.post(path, fields))).toContain("Transfer resolved");
    expect(await readList()).not.toContain(reference);
  });

  it("refuse a release and a question by a tipster", async () => {
    const { id } = await makePayout();
    const tipster = await open(await makeTipster());
    for (const action of ["transfer", "ask-provider"])
      expect((await tipster.post(`/admin/payouts/${action}`, { payout: id })).ok).toBe(false);
    expect(await database().$count(payoutTransfers, eq(payoutTransfers.payoutId, id))).toBe(0);
  });
});

describe("a dispute", () => {
  it("during a transfer holds its earning when the transfer fails", async () => {
    const { id, creatorId, buyers } = await makePayout({ digits: "0003" });
    const reference = await release(id);
    await send(reference);
    await holdEarningsOfBuyer(buyers[0] ?? "");
    expect(await listAlertsOf(id)).toContain("exported-payout-disputed");
    await settle(reference, "failed");
    await follow();
    // R84.00 is below the minimum, so the payout is stopped.
    expect(await readPayout(id)).toMatchObject({ status: "stopped" });
    expect(await readOwedCents(creatorId)).toBe(CENTS);
  });
});

describe("the check of the provider's keys", () => {
  beforeEach(() => {
    const apiBase = `${buildLocalUrl()}${FAKE_API_PATH}`;
    Object.assign(env(), { paystack: { ...configured.paystack, isFake: false, apiBase } });
  });
  afterEach(() => Object.assign(env(), { paystack: configured.paystack }));

  it("makes the calls that payments and payouts need, and only reads", async () => {
    const checks = await checkProviders();
    expect(checks.filter(({ problem }) => problem !== null)).toEqual([]);
    const calls = new Set(requests.map(({ call }) => call));
    for (const call of ["/transaction", "/refund", "/dispute", "/transfer", "/balance"])
      expect(calls).toContain(`GET ${call}`);
    expect([...calls].filter((call) => !call.startsWith("GET "))).toEqual([]);
  });

  it("reports a key that may not list transfers", async () => {
    answer("GET /demo/paystack/transfer$", () =>
      Response.json({ status: false, message: "Not allowed" }, { status: 400 }),
    );
    const failed = (await checkProviders()).filter(({ problem }) => problem !== null);
    expect(failed).toMatchObject([
      { call: "list the changes of the last hour", problem: "unreadable: transfer:list" },
    ]);
  });
});
