import { afterEach, beforeEach, expect, it } from "vitest";
import { suspendCreator } from "#creators/creators.server.ts";
import { makeDemoPurchase } from "#payments/fake-stripe/make-demo-purchase.server.ts";
import { failRefund, refundPayment } from "#payments/fake-stripe/refund-and-dispute.server.ts";
import { syncPayment } from "#payments/sync-payment.server.ts";
import { readEarningsSummary, returnCoins } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { enterResult, unlockRaceCardAs, voidRaceCard } from "#sales/sales.server.ts";
import { closeUserAccount } from "#site/profile/close-user-account.server.ts";
import { makeAdmin, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { readPayableCents } from "#wallet/wallet.server.ts";

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
  const { sessionId } = await makeDemoPurchase({ userId: buyer.id, coinPackId, at: now() });
  const { rows } = await pool().query<{ payment_id: string; amount_cents: number }>(
    "select payment_id, amount_cents from coin_purchases where session_id = $1",
    [sessionId],
  );
  const [purchase] = rows;
  if (!purchase) throw new Error("nothing was bought");
  const sync = () => syncPayment({ provider: "stripe", paymentId: purchase.payment_id });
  return {
    refund: async (part = 1) => {
      await refundPayment(sessionId, purchase.amount_cents * part);
      await sync();
    },
    failRefund: async () => {
      await failRefund(sessionId, purchase.amount_cents);
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
  await voidRaceCard(admin.id, { raceCardId, reason: "Abandoned" });
  await drainQueue([returnCoins]);
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
  expect(await listAlerts(buyer.id)).toMatchObject([{ kind: "coins-of-closed-account" }]);
  await drainQueue([returnCoins]);
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
});

it("leaves the coins of a payment that arrives after the closing with the house, and refunds them from there", async () => {
  await close();
  const payment = await buy("starter_4");
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
  await payment.refund();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 0, owed: 0 });
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
  await voidRaceCard(admin.id, { raceCardId, reason: "Abandoned" });
  await Promise.all([drainQueue([returnCoins]), close(), close()]);
  await close();
  expect(await readCoins()).toEqual({ balance: 0, forfeited: 4, owed: 0 });
});

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
  await voidRaceCard(admin.id, { raceCardId, reason: "Abandoned" });
  await drainQueue([returnCoins]);
  await suspendCreator(admin.id, creatorId);
  await close({ id: creatorId });
  const { rows: tips } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1",
    [raceCardId],
  );
  for (const { id: tipId } of tips)
    await enterResult(admin.id, { tipId, result: "lost", reason: "It was run" });
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
