import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { reverseNewestSales, unlockRaceCardAs } from "#sales/sales.server.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { checkInvariants, runIntegrityChecks } from "./run-integrity-checks.server.ts";

let client: Client;
let punterId: string;
let creatorId: string;
let raceCardId: string;
let refundedBuyerId: string;

beforeAll(async () => {
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const raceCard = await publishRaceCard({ races: [1, 2, 3] });
  const punter = await makeUser({ coins: 12 });
  await unlockRaceCardAs(punter.id, raceCard);
  const refundedBuyer = await makeUser({ coins: 4 });
  await unlockRaceCardAs(refundedBuyer.id, raceCard);
  await transaction((tx) =>
    reverseNewestSales(tx, {
      buyerId: refundedBuyer.id,
      afterTransactionId: 0,
      upToCoins: 4,
      reason: "refund",
    }),
  );
  [punterId, refundedBuyerId] = [punter.id, refundedBuyer.id];
  [creatorId, raceCardId] = [raceCard.creatorId, raceCard.raceCardId];
});

afterAll(() => client.end());

/** Returns the statement that inserts a paid order without a payment. */
const insertOrder = (id: string) =>
  `insert into orders (id, user_id, package_id, package_title, coins, amount_cents, idempotency_key, status,
     session_id, created_at, updated_at)
   values ('${id}', '${punterId}', 'starter_4', 'Horse Chestnut', 4, 4000, '${id}', 'fulfilled', '${id}', now(), now())`;

/**
 * One corruption per invariant. Each bypasses every guard, as an operator with a database console
 * or a faulty migration could.
 */
const corruptions: Record<string, () => string[]> = {
  "01-transactions-balance": () => [
    "alter table ledger_postings disable trigger user",
    `insert into ledger_postings (transaction_id, account, unit, amount)
     select min(id), 'redeemed', 'coin', 1 from ledger_transactions`,
  ],
  "02-no-wallet-was-ever-negative": () => [
    "alter table ledger_postings drop constraint ledger_postings_valid",
    "alter table ledger_postings disable trigger user",
    `update ledger_postings set balance_after = -1 where owner_id = '${punterId}' and amount = -4`,
  ],
  "03-balances-match-postings": () => [
    `update wallets set balance_coins = balance_coins + 1 where user_id = '${punterId}'`,
  ],
  "04-the-ledger-is-append-only": () => [
    "drop trigger ledger_postings_append_only on ledger_postings",
  ],
  "05-a-sale-takes-four-coins": () => [
    "alter table sales disable trigger user",
    `update sales set creator_id = '${randomUUID()}' where buyer_id = '${punterId}'`,
  ],
  "06-shares-add-up": () => [
    "alter table tips disable trigger user",
    `update tips set newest_sale_id = newest_sale_id() where race_card_id = '${raceCardId}'`,
  ],
  "07-sold-tips-are-kept": () => [
    "alter table tips disable trigger user",
    `delete from tips where race_card_id = '${raceCardId}' and race_number = 2`,
  ],
  "08-a-race-card-has-one-creator": () => [
    "alter table batches drop constraint batches_creator_id_fkey",
    `update batches set creator_id = '${punterId}' where race_card_id = '${raceCardId}'`,
  ],
  "09-earnings-match-the-ledger": () => [
    `delete from earnings where sale_id in (select id from sales where buyer_id = '${punterId}')`,
  ],
  "10-a-paid-session-credits-once": () => [insertOrder(randomUUID())],
  "11-coins-have-a-source": () => [
    `select post_to_ledger('grant', 'from-nowhere', now(), '[
       {"account": "granted", "unit": "coin", "amount": -4},
       {"account": "wallet", "owner": "${punterId}", "unit": "coin", "amount": 4}]')`,
  ],
  "12-payouts-add-up": () => [
    `insert into payouts (creator_id, amount_cents, requested_at) values ('${creatorId}', 10000, now())`,
  ],
  "13-refunds-within-payments": () => {
    const id = randomUUID();
    return [
      insertOrder(id),
      "alter table coin_purchases drop constraint coin_purchases_check",
      `insert into coin_purchases (order_id, user_id, package_name, coins, amount_cents, currency,
         stripe_session_id, transaction_id, refunded_cents, created_at)
       select '${id}', '${punterId}', 'Horse Chestnut', 4, 4000, 'zar', '${id}', min(id), 4001, now()
       from ledger_transactions`,
    ];
  },
  "14-records-match-tips": () => [
    `update creator_records set settled = 1, won = 1 where creator_id = '${creatorId}'`,
  ],
  "15-events-are-processed": () => [
    `insert into stripe_events (id, type, received_at, recorded_at)
     values ('evt_lost', 'checkout.session.completed', now(), now() - interval '6 minutes')`,
  ],
  "16-passwords-are-argon2id": () => ["alter table users add column password_plain text"],
  "17-one-guest-deal-per-card-and-address": () => {
    const [firstId, secondId] = [randomUUID(), randomUUID()];
    return [
      insertOrder(firstId),
      insertOrder(secondId),
      "alter table guest_deals drop constraint guest_deals_email_key",
      `insert into guest_deals (order_id, email, card_fingerprint, created_at)
       values ('${firstId}', 'a@example.test', 'one', now()), ('${secondId}', 'a@example.test', 'two', now())`,
    ];
  },
  "18-stored-earnings-match": () => [
    `insert into earning_totals (creator_id, sales, earned_cents) values ('${creatorId}', 1, 2800)
     on conflict (creator_id) do update set earned_cents = earning_totals.earned_cents + 2800`,
  ],
  "19-account-count-is-correct": () => [
    "update user_counts set open_users = open_users + 1 where shard = 3",
  ],
  "20-purchases-match-payments": () => insertPurchase({ refunded_cents: 1000 }),
  "21-reversals-match-purchases": () => [
    `update earnings set held_at = now(), held_reason = 'dispute'
     where sale_id in (select id from sales where buyer_id = '${punterId}')`,
  ],
  "22-no-earnings-from-lost-payments": () => insertRefundedGuestDeal({ owedCoins: 0 }),
  "25-void-race-cards-are-refunded": () => [voidTips("6 minutes")],
  "27-lateness-matches-reported-off-times": () => [
    `with race_day as (insert into race_days (venue_id, race_date, source, reported_at)
       select venue_id, race_date, 'test', now() from race_cards where id = '${raceCardId}' returning id)
     insert into races (race_day_id, race_number, off_at) select id, 2, now() + interval '1 hour' from race_day`,
    "alter table tips disable trigger user",
    `update tips set is_late = true where race_card_id = '${raceCardId}' and race_number = 2`,
  ],
  "26-void-race-cards-stay-closed": () => [
    refundCoins("now() - interval '10 seconds'", 4),
    `insert into batches (creator_id, idempotency_key, race_card_id, race_numbers, created_at)
     values ('${creatorId}', 'added-after-void', '${raceCardId}', '{4}', now())`,
  ],
  "28-offers-match-race-cards": () => [
    `update race_card_offers set closes_at = closes_at + interval '1 minute' where race_card_id = '${raceCardId}'`,
  ],
  "30-paid-payouts-were-exported": () => [
    `insert into payment_exports (created_at, format, number, payments, total_cents)
     values (now(), 'generic', 101, 2, 11200)`,
  ],
  "32-closed-accounts-are-empty": () => [
    `update users set closed_at = now() where id = '${creatorId}'`,
  ],
  "31-disputed-earnings-are-not-paid": () => [
    `with new_payout as (
       insert into payouts (creator_id, amount_cents, status, requested_at, stopped_at)
       values ('${creatorId}', 10000, 'stopped', now(), now()) returning id)
     update earnings set payout_id = (select id from new_payout)
     where sale_id in (select id from sales where buyer_id = '${punterId}')`,
  ],
};

/**
 * Returns the statements that insert a purchase older than everything else of the punter, without a
 * payment.
 */
function insertPurchase(
  columnValues: Record<string, string | number>,
  id = randomUUID(),
): string[] {
  const columns = Object.keys(columnValues).map((name) => `, ${name}`);
  const values = Object.values(columnValues).map((value) => `, '${value}'`);
  return [
    insertOrder(id),
    `insert into coin_purchases (id, order_id, user_id, package_name, coins, amount_cents, currency,
       stripe_session_id, transaction_id, created_at${columns.join("")})
     select '${id}', '${id}', '${punterId}', 'Horse Chestnut', 4, 4000, 'zar', '${id}', min(id),
       now()${values.join("")} from ledger_transactions`,
  ];
}

/**
 * Returns a guest purchase that was refunded while the sale paid with its welcome coins was not
 * reversed.
 */
function insertRefundedGuestDeal({
  owedCoins,
  welcomeCoins = 4,
}: {
  owedCoins: number;
  welcomeCoins?: number;
}): string[] {
  const id = randomUUID();
  return [
    ...insertPurchase(
      {
        refunded_cents: 4000,
        recovered_coins: 4,
        welcome_coins: welcomeCoins,
        opened_race_card_id: raceCardId,
      },
      id,
    ),
    `insert into purchase_adjustments (purchase_id, transaction_id, kind, cents, coins, wallet_coins,
       sale_coins, owed_coins, welcome_wallet_coins, welcome_sale_coins, created_at)
     select '${id}', max(id), 'refund', 4000, 4, ${4 - owedCoins}, 0, ${owedCoins}, 0, 0, now()
     from ledger_transactions`,
  ];
}

/** Further corruptions of refunds and disputes, each with the invariant that reports it. */
const REFUND_CORRUPTIONS: Record<string, [string, () => string[]]> = {
  "owed coins although a sale could have been reversed": [
    "22-no-earnings-from-lost-payments",
    () => insertRefundedGuestDeal({ owedCoins: 4, welcomeCoins: 0 }),
  ],
  "a refund whose money was posted twice": [
    "20-purchases-match-payments",
    () => [
      `select post_to_ledger('refund', 'twice', now(), '[
         {"account": "provider", "unit": "cent", "amount": -4000},
         {"account": "coin sales", "unit": "cent", "amount": 4000}]')`,
    ],
  ],
  "an adjustment that differs from its postings": [
    "20-purchases-match-payments",
    () => insertRefundedGuestDeal({ owedCoins: 0 }),
  ],
  "a sale that is not held although its payment is disputed": [
    "21-reversals-match-purchases",
    () => insertPurchase({ dispute_status: "open" }),
  ],
  "a sale that was reversed for a later purchase": [
    "21-reversals-match-purchases",
    () => {
      const id = randomUUID();
      return [
        ...insertPurchase({ refunded_cents: 4000 }, id),
        "alter table earning_reversals disable trigger user",
        `update earning_reversals set purchase_id = '${id}'`,
      ];
    },
  ],
};

/** The corruptions that only a full check reports. */
const FULL_CHECK_ONLY = ["03-balances-match-postings", "19-account-count-is-correct"];

/** Returns the statement that voids every race of the race card with this age. */
const voidTips = (age: string) =>
  `update tips set result = 'void', settled_at = now() - interval '${age}'
   where race_card_id = '${raceCardId}'`;

/** Returns the statement that refunds this many coins to the buyer of the sale. */
const refundCoins = (at: string, coins: number, buyer = punterId) =>
  `select post_to_ledger('reversal', 'void:' || s.id, ${at}, json_build_array(
     json_build_object('account', 'wallet', 'owner', '${buyer}', 'unit', 'coin', 'amount', ${coins}),
     json_build_object('account', 'redeemed', 'unit', 'coin', 'amount', -${coins}))::jsonb)
   from sales s where s.buyer_id = '${buyer}' and s.race_card_id = '${raceCardId}'`;

/** Refund states of void race cards, and whether invariant 25 reports them. */
const VOID_REFUND_CASES: [string, () => string[], boolean][] = [
  ["reports a refund of 3 coins", () => [voidTips("6 minutes"), refundCoins("now()", 3)], true],
  ["reports a refund after a reversal", () => [refundCoins("now()", 4, refundedBuyerId)], true],
  ["reports a missing refund after five minutes", () => [voidTips("301 seconds")], true],
  ["reports no missing refund within five minutes", () => [voidTips("299 seconds")], false],
  ["reports no complete refund", () => [voidTips("6 minutes"), refundCoins("now()", 4)], false],
  [
    "reports no race card with a valid race",
    () => [
      voidTips("6 minutes"),
      `update tips set result = null, settled_at = null
       where race_card_id = '${raceCardId}' and race_number = 2`,
    ],
    false,
  ],
];

/** Corruptions of the other sums that invariant 18 checks. */
const STORED_SUM_CORRUPTIONS = {
  "a day that is missing from the total": () =>
    `insert into earning_days (creator_id, day, sales, earned_cents)
     values ('${creatorId}', current_date, 1, 2800)
     on conflict (creator_id, day) do update set earned_cents = earning_days.earned_cents + 2800`,
  "a deleted day and total": () =>
    `with deleted_days as (delete from earning_days where creator_id = '${creatorId}')
     delete from earning_totals where creator_id = '${creatorId}'`,
  "a payout total without a payout": () =>
    `insert into payout_totals (creator_id, cents) values ('${creatorId}', 10000)`,
};

describe("the invariants", () => {
  it("hold for data written by the application", async () => {
    expect((await runIntegrityChecks(client, { at: now() })).failures).toEqual([]);
  });

  it("each have a corruption in this file", () => {
    const invariants = readdirSync("db/invariants").map((name) => name.replace(/\.sql$/, ""));
    expect(Object.keys(corruptions).sort()).toEqual(invariants.sort());
  });

  it.each(Object.keys(corruptions))("report a violation of %s", async (invariant) => {
    for (const since of [null, new Date(Date.now() - 60_000)]) {
      await client.query("begin");
      try {
        for (const statement of corruptions[invariant]?.() ?? []) await client.query(statement);
        const { failures } = await checkInvariants(client, { since, at: now() });
        expect(failures.map((failure) => failure.invariant)).toContain(invariant);
      } finally {
        await client.query("rollback");
      }
      if (FULL_CHECK_ONLY.includes(invariant)) break;
    }
  });

  it.each(Object.entries(STORED_SUM_CORRUPTIONS))("report %s", async (_, corrupt) => {
    await rollUpEarnings();
    expect((await runIntegrityChecks(client, { at: now() })).failures).toEqual([]);
    for (const since of [null, new Date(Date.now() - 60_000)]) {
      await client.query("begin");
      try {
        await client.query(corrupt());
        const { failures } = await checkInvariants(client, { since, at: now() });
        expect(failures.map((failure) => failure.invariant)).toEqual(["18-stored-earnings-match"]);
      } finally {
        await client.query("rollback");
      }
    }
  });

  it.each(VOID_REFUND_CASES)("invariant 25 %s", async (_, corrupt, isReported) => {
    for (const since of [null, new Date(Date.now() - 60_000)]) {
      await client.query("begin");
      try {
        for (const statement of corrupt()) await client.query(statement);
        const { failures } = await checkInvariants(client, { since, at: now() });
        const reported = failures.map((failure) => failure.invariant);
        expect(reported.includes("25-void-race-cards-are-refunded")).toBe(isReported);
      } finally {
        await client.query("rollback");
      }
    }
  });

  it.each(Object.entries(REFUND_CORRUPTIONS))("report %s", async (_, [invariant, corrupt]) => {
    for (const since of [null, new Date(Date.now() - 60_000)]) {
      await client.query("begin");
      try {
        for (const statement of corrupt()) await client.query(statement);
        const { failures } = await checkInvariants(client, { since, at: now() });
        expect(failures.map((failure) => failure.invariant)).toContain(invariant);
      } finally {
        await client.query("rollback");
      }
    }
  });

  it("hold again after a corruption is undone", async () => {
    expect((await runIntegrityChecks(client, { at: now() })).failures).toEqual([]);
  });
});
