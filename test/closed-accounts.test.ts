import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hashPassword, readRoles, startSession } from "#accounts/accounts.server.ts";
import { changeName } from "#accounts/profile/change-profile.server.ts";
import { acceptInvitation } from "#creators/invitations/accept-invitation.server.ts";
import { inviteAnalyst } from "#creators/invitations/invite-analyst.server.ts";
import { reinstateCreator, suspendCreator } from "#creators/suspension.server.ts";
import {
  resolveDelayedPayment,
  startDelayedPayment,
} from "#payments/fake-stripe/pay-session.server.ts";
import { failRefund, refundPayment } from "#payments/fake-stripe/refund-and-dispute.server.ts";
import { fulfilPurchase } from "#payments/fulfil-purchase.server.ts";
import { GatewayError } from "#payments/gateway.ts";
import { getGateway } from "#payments/gateways.server.ts";
import { findPurchase } from "#payments/purchases.server.ts";
import { reconcilePayments } from "#payments/reconcile-payments.server.ts";
import { requestRefund } from "#payments/refunds/refund-purchase.server.ts";
import { returnCoins } from "#payments/return-coins.server.ts";
import { startPurchase } from "#payments/start-purchase.server.ts";
import { syncPayment } from "#payments/sync-payment.server.ts";
import { readClosedAccountsMoney } from "#payments/unspent-coins/customers-money.server.ts";
import { previewCoinsAtClosing } from "#payments/unspent-coins/list-unspent-coins.server.ts";
import { payClaimCode, redeemClaimCode } from "#payments/unspent-coins/redeem-claim-code.server.ts";
import { sendUnspentCoinRefund } from "#payments/unspent-coins/refund-unspent-coins.server.ts";
import { readEarningsSummary } from "#payouts/payouts.server.ts";
import { readAudit, writeAudit } from "#platform/audit/audit.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { closeUserAccount } from "#site/profile/close-user-account.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { buyCoins, stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { createBrowserFor, PASSWORD } from "#test/record-owners.ts";
import { findRaceCardOnSale } from "#tips/tips.server.ts";
import {
  postToLedger,
  readPayableCents,
  readWallet,
  setWalletFrozen,
} from "#wallet/wallet.server.ts";

// Accounts that are closed between two writes of one purchase or sale.

let admin: Person;
let buyer: Person;
beforeEach(async () => {
  stubFetchInProcess();
  admin = await makeAdmin();
  buyer = await makeUser();
});
afterEach(expectInvariantsToHold);

async function buy(coinPackId: string) {
  const { id, sessionId, paymentId, amountCents } = await buyCoins(buyer.id, coinPackId);
  const sync = () => syncPayment({ provider: "stripe", paymentId });
  return {
    purchaseId: id,
    sync,
    refund: async (part = 1) => {
      await refundPayment(sessionId, amountCents * part);
      await sync();
    },
    failRefund: async () => {
      await failRefund(sessionId, amountCents);
      await sync();
    },
  };
}

async function openRaceCard() {
  const raceCard = await publishRaceCard();
  expect(await unlockRaceCardAs(buyer.id, raceCard)).toMatchObject({ ok: true });
  return raceCard;
}

const close = async (person: Person | { id: string } = buyer) =>
  expect(await closeUserAccount(admin.id, person.id, "Asked for it")).toMatchObject({ ok: true });

async function readCoins() {
  const { rows } = await pool().query<{ balance: number; forfeited: number; owed: number }>(
    `select balance_coins as balance, forfeited_coins as forfeited, owed_coins as owed
     from wallets where user_id = $1`,
    [buyer.id],
  );
  return rows[0];
}

async function listAlerts(subject: string) {
  const { rows } = await pool().query<{ kind: string; message: string }>(
    "select kind, message from alerts where subject = $1",
    [subject],
  );
  return rows;
}

it("takes the refund of unspent coins from those that the account left, not from the creator", async () => {
  const payment = await buy("value_8");
  const { creatorId } = await openRaceCard();
  await close();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
  await payment.refund(0.5);
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
  expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 1, reversedCents: 0 });
  // The other half was spent.
  await payment.refund(0.5);
  expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 0 });
});

it("leaves the coins of a failed refund with the house", async () => {
  const payment = await buy("value_8");
  await payment.refund();
  await close();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
  await payment.failRefund();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 8, owed: 0 });
  expect(await listAlerts(buyer.id)).toMatchObject([
    { kind: "coins-of-closed-account", message: expect.stringContaining("8 coins for a closed") },
  ]);
  // The same again, also when it succeeds in between.
  await payment.refund();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
});

it("leaves the coins for a void race with the house", async () => {
  await buy("starter_4");
  const { raceCardId } = await openRaceCard();
  await close();
  await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Abandoned" });
  await drainQueue([returnCoins]);
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
  expect(await listAlerts(buyer.id)).toMatchObject([{ kind: "coins-of-closed-account" }]);
  await drainQueue([returnCoins]);
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
});

it("refunds a payment that arrives after the closing", async () => {
  await close();
  const payment = await buy("starter_4");
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
  await drainQueue([sendUnspentCoinRefund]);
  await payment.sync();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
});

it("issues a claim code for a payment that arrives after the closing, in case it can't be refunded", async () => {
  buyer = await makeUser({ passwordHash: await hashPassword(PASSWORD) });
  const started = await startPurchase({
    viewer: buyer,
    coinPackId: "starter_4",
    idempotencyKey: randomUUID(),
    returnTo: "/",
  });
  if (!started.ok) throw new Error(started.refusal);
  const fulfil = async () => {
    const session = await getGateway("stripe").readCheckout(started.sessionId);
    if (session) await fulfilPurchase(session);
  };
  await startDelayedPayment(started.sessionId);
  await fulfil();
  const browser = await createBrowserFor(buyer);
  const deleted = await browser.post("/profile/delete", {
    password: PASSWORD,
    confirmed: "on",
  });
  const code = /[0-9A-Z]{4}(-[0-9A-Z]{4}){4}/.exec(await readVisibleText(deleted))?.[0] ?? "";
  const email = (await readEmailsTo(buyer.email)).find(({ kind }) => kind === "account-closed");
  expect(email?.text).toContain(code);
  expect(email?.text).toContain("A payment of yours has not arrived yet.");
  expect(email?.text).not.toContain("R0.00");
  await resolveDelayedPayment(started.sessionId, true);
  vi.spyOn(getGateway("stripe"), "refund").mockResolvedValueOnce({
    refundId: "re_1",
    status: "failed",
  });
  await fulfil();
  await drainQueue([sendUnspentCoinRefund]);
  const claimant = await makeUser();
  expect(await redeemClaimCode(claimant.id, code)).toMatchObject({ ok: true, coins: 4 });
});

it("lets nobody spend the forfeited coins", async () => {
  await buy("starter_4");
  await close();
  const { raceCardId } = await publishRaceCard();
  expect(await unlockRaceCardAs(buyer.id, { raceCardId })).toMatchObject({
    ok: false,
    refusal: "too-few-coins",
  });
});

it("closes once when it is asked for twice or together, whatever arrives at the same time", async () => {
  await buy("starter_4");
  const { raceCardId } = await openRaceCard();
  await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Abandoned" });
  await Promise.all([drainQueue([returnCoins]), close(), close()]);
  await close();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
});

const grantCoins = (amount: number) =>
  transaction(async (tx) => {
    const subject = `${buyer.id}:test`;
    await postToLedger(tx, "grant", subject, [
      { account: "wallet", owner: buyer.id, unit: "coin", amount },
      { account: "granted", unit: "coin", amount: -amount },
    ]);
    await writeAudit(tx, { actorId: admin.id, action: "grant-coins", subject });
  });

describe("unspent coins", () => {
  const closeAndReadResult = async () => {
    const result = await closeUserAccount(admin.id, buyer.id, "Asked for it");
    if (!result.ok) throw new Error(result.refusal);
    return result;
  };

  async function listRefunds() {
    const { rows } = await pool().query<{ coins: number; amount_cents: number; status: string }>(
      `select r.coins, r.amount_cents, r.status from unspent_coin_refunds r
       join coin_purchases p on p.id = r.purchase_id where r.user_id = $1 order by p.transaction_id`,
      [buyer.id],
    );
    return rows;
  }

  it("are refunded at what was paid for them, and the tipster keeps what was earned", async () => {
    const payment = await buy("value_8");
    const { creatorId } = await openRaceCard();
    expect(await previewCoinsAtClosing(buyer.id)).toEqual({
      refundedCoins: 4,
      refundedCents: 3500,
      lapsedCoins: 0,
    });
    expect(await closeAndReadResult()).toMatchObject({ refundedCoins: 4, refundedCents: 3500 });
    await drainQueue([sendUnspentCoinRefund]);
    await payment.sync();
    expect(await listRefunds()).toEqual([{ coins: 4, amount_cents: 3500, status: "sent" }]);
    expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
    expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 1, reversedCents: 0 });
  });

  it("are those received last, and coins that cost nothing lapse", async () => {
    const oldest = await buy("value_8");
    await openRaceCard();
    await oldest.refund(0.25);
    await buy("starter_4");
    await grantCoins(3);
    await openRaceCard();
    expect(await closeAndReadResult()).toMatchObject({ refundedCoins: 2, lapsedCoins: 3 });
    expect(await listRefunds()).toEqual([{ coins: 2, amount_cents: 2000, status: "requested" }]);
  });

  it("are refunded once when the request is repeated or fails at first", async () => {
    const payment = await buy("starter_4");
    await Promise.all([close(), close()]);
    const { rows } = await pool().query<{ id: string }>(
      "select id from unspent_coin_refunds where user_id = $1",
      [buyer.id],
    );
    const refundId = rows[0]?.id ?? "";
    const refund = vi.spyOn(getGateway("stripe"), "refund");
    refund.mockRejectedValueOnce(new GatewayError("down", { problem: "unknown-outcome" }));
    await expect(sendUnspentCoinRefund.run({ refundId }, { isLast: true })).rejects.toThrow("down");
    expect(await listRefunds()).toMatchObject([{ status: "requested" }]);
    refund.mockRestore();
    const run = () => sendUnspentCoinRefund.run({ refundId }, { isLast: false });
    await expect(run()).rejects.toThrow("is being sent");
    const endReservation = "update unspent_coin_refunds set sending_until = null";
    await pool().query(`${endReservation} where id = $1`, [refundId]);
    await Promise.allSettled([run(), run()]);
    // The answer was lost, and the job is retried after the provider has forgotten the key.
    await pool().query(`${endReservation}, status = 'requested' where id = $1`, [refundId]);
    const repeated = vi.spyOn(getGateway("stripe"), "refund");
    await run();
    expect(repeated).not.toHaveBeenCalled();
    repeated.mockRestore();
    await payment.sync();
    expect(await listRefunds()).toEqual([{ coins: 4, amount_cents: 4000, status: "sent" }]);
    expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
  });

  it("are refunded by the reconciliation when the job has given up", async () => {
    await buy("starter_4");
    await close();
    const setAge = (age: string) =>
      pool().query(
        "update unspent_coin_refunds set created_at = $2::timestamptz - $3::interval where user_id = $1",
        [buyer.id, now(), age],
      );
    await setAge("59 minutes");
    await reconcilePayments.run({}, { isLast: false });
    expect(await listRefunds()).toMatchObject([{ status: "requested" }]);
    await setAge("61 minutes");
    await reconcilePayments.run({}, { isLast: false });
    expect(await listRefunds()).toEqual([{ coins: 4, amount_cents: 4000, status: "sent" }]);
  });

  it("are described in an email with a claim code, which is stored as a hash", async () => {
    await buy("starter_4");
    const { claimCode } = await closeAndReadResult();
    expect(claimCode).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/);
    const [email] = await readEmailsTo(buyer.email);
    expect(email?.text).toContain(claimCode);
    expect(email?.text).toContain("R40.00");
    const { rows } = await pool().query("select * from claim_codes where user_id = $1", [buyer.id]);
    expect(JSON.stringify(rows)).not.toContain(claimCode);
  });
});

describe("a claim code", () => {
  let code: string;
  let claimant: Person;

  const closeWithFailedRefund = async () => {
    const refund = vi.spyOn(getGateway("stripe"), "refund");
    refund.mockResolvedValue({ refundId: "re_1", status: "failed" });
    const result = await closeUserAccount(admin.id, buyer.id, "Asked for it");
    code = (result.ok ? result.claimCode : null) ?? "";
    await drainQueue([sendUnspentCoinRefund]);
    refund.mockRestore();
  };
  beforeEach(async () => {
    claimant = await makeUser();
  });

  const readBalance = async () => (await readWallet(claimant.id)).balanceCoins;

  it("adds the coins of a failed refund to another account once, also when it is entered twice at the same time", async () => {
    await buy("starter_4");
    await closeWithFailedRefund();
    const results = await Promise.all([
      redeemClaimCode(claimant.id, code.toLowerCase().replaceAll("-", " ")),
      redeemClaimCode(claimant.id, code),
    ]);
    expect(results.filter(({ ok }) => ok)).toEqual([{ ok: true, coins: 4, repaidCoins: 0 }]);
    expect(results).toContainEqual({ ok: false, refusal: "nothing-due" });
    expect(await readBalance()).toBe(4);
    expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
    expect((await listAlerts((await readPurchaseId()) ?? "")).map(({ kind }) => kind)).toEqual([
      "refund-failed",
    ]);
  });

  it("adds nothing before a refund has failed, and covers one that fails after it was sent", async () => {
    const payment = await buy("starter_4");
    const result = await closeUserAccount(admin.id, buyer.id, "Asked for it");
    code = (result.ok ? result.claimCode : null) ?? "";
    await drainQueue([sendUnspentCoinRefund]);
    expect(await redeemClaimCode(claimant.id, code)).toEqual({ ok: false, refusal: "nothing-due" });
    await payment.sync();
    await payment.failRefund();
    expect(await redeemClaimCode(claimant.id, code)).toMatchObject({ ok: true, coins: 4 });
    expect(await readBalance()).toBe(4);
  });

  it("adds nothing that a later refund or dispute of the payment took back, although free coins lapsed too", async () => {
    const payment = await buy("starter_4");
    await grantCoins(4);
    await closeWithFailedRefund();
    await payment.refund();
    expect(await redeemClaimCode(claimant.id, code)).toEqual({ ok: false, refusal: "nothing-due" });
    expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
  });

  it("adds the part that a later refund of the payment did not take back", async () => {
    const payment = await buy("value_8");
    await openRaceCard();
    await closeWithFailedRefund();
    await payment.refund(0.25);
    expect(await redeemClaimCode(claimant.id, code)).toMatchObject({ ok: true, coins: 2 });
    expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
    expect(await redeemClaimCode(claimant.id, code)).toEqual({ ok: false, refusal: "nothing-due" });
  });

  it("counts as money of closed accounts with what it is still good for", async () => {
    const before = (await readClosedAccountsMoney()).failed;
    const readAdded = async () => {
      const { count, cents } = (await readClosedAccountsMoney()).failed;
      return [count - before.count, cents - before.cents];
    };
    const payment = await buy("value_8");
    await closeWithFailedRefund();
    expect(await readAdded()).toEqual([1, 7000]);
    await payment.refund(0.25);
    expect(await readAdded()).toEqual([1, 5250]);
    const expire = "update claim_codes set expires_at = $2 where user_id = $1";
    await pool().query(expire, [buyer.id, new Date(now().getTime() + 60_000)]);
    expect(await readAdded()).toEqual([1, 5250]);
    await pool().query(expire, [buyer.id, now()]);
    expect(await readAdded()).toEqual([0, 0]);
    const laterPayment = await (async () => {
      buyer = await makeUser();
      return await buy("starter_4");
    })();
    await closeWithFailedRefund();
    expect(await readAdded()).toEqual([1, 4000]);
    await laterPayment.refund();
    expect(await readAdded()).toEqual([0, 0]);
  });

  it("is refused when it is wrong, expired or guessed, and while a payment is in dispute", async () => {
    await buy("starter_4");
    await closeWithFailedRefund();
    await transaction((tx) => setWalletFrozen(tx, buyer.id, true));
    expect(await redeemClaimCode(claimant.id, code)).toEqual({ ok: false, refusal: "disputed" });
    await transaction((tx) => setWalletFrozen(tx, buyer.id, false));
    await pool().query("update claim_codes set expires_at = created_at where user_id = $1", [
      buyer.id,
    ]);
    expect(await redeemClaimCode(claimant.id, code)).toEqual({ ok: false, refusal: "expired" });
    for (let attempt = 3; attempt <= 10; attempt += 1)
      expect(await redeemClaimCode(claimant.id, `wrong ${attempt}`)).toEqual({
        ok: false,
        refusal: "unknown-code",
      });
    expect(await redeemClaimCode(claimant.id, code)).toEqual({
      ok: false,
      refusal: "too-many-attempts",
    });
    expect(await readBalance()).toBe(0);
  });

  it("is valid for three years", async () => {
    await buy("starter_4");
    await closeWithFailedRefund();
    const { rows } = await pool().query<{ years: number }>(
      "select extract(year from age(expires_at, created_at))::integer as years from claim_codes where user_id = $1",
      [buyer.id],
    );
    expect(rows).toEqual([{ years: 3 }]);
  });

  it("repays what the other account owes first, whose unspent coins can be claimed again", async () => {
    await buy("starter_4");
    await closeWithFailedRefund();
    buyer = claimant;
    const payment = await buy("starter_4");
    await openRaceCard();
    await payment.refund(0.25);
    const owed = (await readCoins())?.owed ?? 0;
    expect(await redeemClaimCode(claimant.id, code)).toEqual({
      ok: true,
      coins: 4,
      repaidCoins: owed,
    });
    const firstCode = code;
    await closeWithFailedRefund();
    expect(code).not.toBe(firstCode);
    claimant = await makeUser();
    expect(await redeemClaimCode(claimant.id, code)).toMatchObject({ ok: true, coins: 4 - owed });
  });

  it("can be paid out once in place of the coins, only with the amount that is due", async () => {
    await buy("value_8");
    await openRaceCard();
    await closeWithFailedRefund();
    const pay = (amountCents: number) =>
      payClaimCode(admin.id, { claimCode: code, amountCents, bankReference: "FNB 123" });
    expect(await pay(4000)).toEqual({ ok: false, refusal: "other-amount", dueCents: 3500 });
    const results = await Promise.all([pay(3500), pay(3500), redeemClaimCode(claimant.id, code)]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await pay(3500)).toEqual({ ok: false, refusal: "nothing-due" });
    expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
  });

  for (const [how, take] of Object.entries({
    redeemed: () => redeemClaimCode(claimant.id, code),
    "paid out": () =>
      payClaimCode(admin.id, { claimCode: code, amountCents: 3500, bankReference: "FNB 123" }),
  }))
    it(`leaves the rest of the payment to refund once it is ${how}`, async () => {
      const { purchaseId } = await buy("value_8");
      await openRaceCard();
      await closeWithFailedRefund();
      const refund = {
        ...{ id: randomUUID(), purchaseId, isBorneByHouse: true, reason: "Asked" },
        shownRemainingCents: 3500,
      };
      const request = (amountCents: number) => requestRefund(admin.id, { ...refund, amountCents });
      expect(await take()).toMatchObject({ ok: true });
      expect(await findPurchase(purchaseId)).toMatchObject({ remainingCents: 3500 });
      expect(await request(3501)).toEqual({
        ok: false,
        refusal: "above-remaining",
        remainingCents: 3500,
      });
      expect(await request(3500)).toMatchObject({ ok: true });
    });

  it.each(["claim", "refund"] as const)(
    "and a refund of the whole payment that wait for one wallet are not both made: the %s first",
    async (first) => {
      const { purchaseId } = await buy("value_8");
      await openRaceCard();
      await closeWithFailedRefund();
      const claim = () => redeemClaimCode(claimant.id, code);
      const refund = () =>
        requestRefund(admin.id, {
          ...{ id: randomUUID(), purchaseId, amountCents: 7000, isBorneByHouse: true },
          reason: "Asked",
          shownRemainingCents: 7000,
        });
      const client = await pool().connect();
      try {
        await client.query("begin");
        await client.query("select from wallets where user_id = $1 for update", [buyer.id]);
        const results: Promise<{ ok: boolean; refusal?: string }>[] = [];
        for (const [index, run] of (first === "claim"
          ? [claim, refund]
          : [refund, claim]
        ).entries()) {
          results.push(run());
          await waitForLockWaiters(index + 1);
        }
        await client.query("commit");
        const [winner, loser] = await Promise.all(results);
        expect(winner?.ok).toBe(true);
        expect(loser?.refusal).toBe(first === "claim" ? "above-remaining" : "disputed");
      } finally {
        client.release();
      }
    },
  );

  it("is paid out by an admin with a code of two-step login, with the reason in the audit log", async () => {
    await buy("starter_4");
    await closeWithFailedRefund();
    const page = "/admin/purchases/claim-codes";
    const form = { claimCode: code, amount: "40", bankReference: "FNB 123" };
    expect((await (await createBrowserFor(claimant)).post(page, form)).status).toBe(403);
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    expect((await browser.post(page, form)).status).toBe(401);
    browser.applyCookies(await startSession(admin.id, { codeVerifiedAt: now() }));
    for (const wrong of [{ amount: "40.5" }, { bankReference: " " }, { claimCode: "AAAA" }])
      expect((await browser.post(page, { ...form, ...wrong })).status).toBe(422);
    const other = await browser.post(page, { ...form, amount: "39" });
    expect(other.status).toBe(409);
    expect(await other.text()).toContain("R40.00 is due for this code");
    expect(await (await browser.post(page, form)).text()).toContain(
      "Recorded the payment of R40.00.",
    );
    expect((await browser.post(page, form)).status).toBe(409);
    const { entries } = await readAudit({ subject: buyer.id });
    expect(entries).toMatchObject([
      {
        action: "pay-claim-code",
        details: { coins: 4, amountCents: 4000, bankReference: "FNB 123" },
      },
      { action: "close-account" },
    ]);
  });

  it("is entered on a page of the profile, which needs a login", async () => {
    await buy("starter_4");
    await closeWithFailedRefund();
    const page = "/profile/claim-code";
    const guest = await new Browser().post(page, { code });
    expect(guest.status).toBe(302);
    const browser = await createBrowserFor(claimant);
    expect((await browser.get(page)).status).toBe(200);
    const empty = await browser.post(page, { code: " " });
    expect(empty.status).toBe(422);
    expect(await empty.text()).toContain("Please enter the code");
    expect((await browser.post(page, { code: "A".repeat(41) })).status).toBe(422);
    expect((await browser.post(page, { code: "AAAA" })).status).toBe(422);
    const redeemed = await browser.post(page, { code });
    expect(redeemed.status).toBe(200);
    expect(await redeemed.text()).toContain("We added 4 coins.");
    expect((await browser.post(page, { code })).status).toBe(409);
  });
});

async function readPurchaseId() {
  const { rows } = await pool().query<{ id: string }>(
    "select id from coin_purchases where user_id = $1",
    [buyer.id],
  );
  return rows[0]?.id;
}

/** A creator whose only sale was reversed by a refund, and whose account was closed then. */
async function closeCreatorAfterRefund() {
  const payment = await buy("starter_4");
  const { creatorId, raceCardId } = await openRaceCard();
  await payment.refund();
  await suspendCreator(admin.id, creatorId);
  await close({ id: creatorId });
  return { payment, creatorId, raceCardId };
}

it("leaves the earning of a failed refund with the house when its creator closed the account", async () => {
  const { payment, creatorId } = await closeCreatorAfterRefund();
  await payment.failRefund();
  expect(await transaction((tx) => readPayableCents(creatorId, tx))).toBe(0);
  expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 0, totalCents: 0 });
  expect(await listAlerts(creatorId)).toEqual([
    {
      kind: "earnings-of-closed-account",
      message: "R28.00 from 1 sale of a closed account was restored and went to the house.",
    },
  ]);
  const { rows } = await pool().query("select from emails where user_id = $1 and kind = 'notice'", [
    creatorId,
  ]);
  expect(rows).toEqual([]);
  // Nothing is left to reverse when the payment is refunded again.
  await payment.refund();
  expect(await transaction((tx) => readPayableCents(creatorId, tx))).toBe(0);
});

it("leaves an earning with the house that a corrected result would restore", async () => {
  await buy("starter_4");
  const { creatorId, raceCardId } = await openRaceCard();
  await voidRaceCardAsTwo(admin.id, { raceCardId, reason: "Abandoned" });
  await drainQueue([returnCoins]);
  await suspendCreator(admin.id, creatorId);
  await close({ id: creatorId });
  const { rows: tips } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1",
    [raceCardId],
  );
  for (const { id: tipId } of tips)
    await enterTipResultAsTwo(admin.id, { tipId, result: "lost", reason: "It was run" });
  await drainQueue([returnCoins]);
  expect(await transaction((tx) => readPayableCents(creatorId, tx))).toBe(0);
  expect(await readEarningsSummary(creatorId)).toMatchObject({ sales: 0, totalCents: 0 });
});

it("leaves an earning with the house that is restored while its creator closes the account", async () => {
  const payment = await buy("starter_4");
  const { creatorId } = await openRaceCard();
  await payment.refund();
  await suspendCreator(admin.id, creatorId);
  const client = await pool().connect();
  try {
    await client.query("begin");
    await client.query("update users set closed_at = now() where id = $1", [creatorId]);
    const restored = payment.failRefund();
    await waitForLockWaiters(1);
    await client.query("commit");
    await restored;
  } finally {
    client.release();
  }
  expect(await transaction((tx) => readPayableCents(creatorId, tx))).toBe(0);
});

/** Starts `work` while the transaction that closes the account of `userId` is open, and returns its result. */
async function runWhileClosing<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    await client.query("select from users where id = $1 for no key update", [userId]);
    await client.query(
      `update users set closed_at = $2, name = 'Closed account', email = id || '@closed.invalid', email_verified = false
       where id = $1`,
      [userId, now()],
    );
    const result = work();
    await waitForLockWaiters(1);
    await client.query("commit");
    return await result;
  } finally {
    client.release();
  }
}

it("refuses to reinstate a creator whose account is closed, and offers no button for it", async () => {
  const { raceCardId, creatorId } = await publishRaceCard();
  await suspendCreator(admin.id, creatorId);
  const browser = await createBrowserFor(admin);
  const readPages = async () =>
    await Promise.all(
      ["/admin/tipsters?order=newest", `/admin/users/${creatorId}`].map(async (path) =>
        (await (await browser.get(path)).text()).includes(
          `/admin/tipsters/${creatorId}/suspension`,
        ),
      ),
    );
  expect(await readPages()).toEqual([true, true]);
  await close({ id: creatorId });
  expect(await readPages()).toEqual([false, false]);
  const response = await browser.post(`/admin/tipsters/${creatorId}/suspension`, {
    suspended: "no",
  });
  expect(response.status).toBe(409);
  expect(await response.text()).toContain("This account is closed.");
  expect(await readRoles(creatorId)).toEqual([]);
  expect(await findRaceCardOnSale(raceCardId)).toBeNull();
});

it("refuses to reinstate a creator whose account is being closed", async () => {
  const { creatorId } = await publishRaceCard();
  await suspendCreator(admin.id, creatorId);
  expect(await runWhileClosing(creatorId, () => reinstateCreator(admin.id, creatorId))).toEqual({
    ok: false,
    refusal: "closed",
  });
  expect(await readRoles(creatorId)).toEqual([]);
});

it("refuses to close the account of a creator who is being reinstated", async () => {
  const { creatorId } = await publishRaceCard();
  await suspendCreator(admin.id, creatorId);
  const client = await pool().connect();
  try {
    await client.query("begin");
    // Both writes wait for this row: the reinstatement first, with the account locked.
    await client.query("select from creators where user_id = $1 for update", [creatorId]);
    const reinstated = reinstateCreator(admin.id, creatorId);
    await waitForLockWaiters(1);
    const closed = closeUserAccount(admin.id, creatorId, "Asked for it");
    await waitForLockWaiters(2);
    await client.query("commit");
    expect(await reinstated).toEqual({ ok: true });
    expect(await closed).toEqual({ ok: false, refusal: "has-a-role" });
  } finally {
    client.release();
  }
});

it("gives no role to an invited user who accepts while the account is being closed", async () => {
  const displayName = `Analyst ${buyer.id.slice(0, 8)}`;
  await inviteAnalyst(admin.id, { name: buyer.name, email: buyer.email, displayName });
  expect(await runWhileClosing(buyer.id, () => acceptInvitation(buyer.id))).toEqual({
    ok: false,
    refusal: "not-confirmed",
  });
  expect(await readRoles(buyer.id)).toEqual([]);
});

it("stores no new name of a user who changes it while the account is being closed", async () => {
  await runWhileClosing(buyer.id, () => changeName(buyer.id, "Lerato Dlamini"));
  const { rows } = await pool().query("select name from users where id = $1", [buyer.id]);
  expect(rows).toEqual([{ name: "Closed account" }]);
});
