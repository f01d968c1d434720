import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { listViolations } from "#test/integrity-checks.ts";
import { followMachineClock } from "#test/test-clock.ts";

let client: Client;
let punterId: string;
let creatorId: string;

beforeAll(async () => {
  followMachineClock();
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const raceCard = await publishRaceCard();
  punterId = (await makeUser({ coins: 4 })).id;
  creatorId = raceCard.creatorId;
  await unlockRaceCardAs(punterId, raceCard);
});

afterAll(() => client.end());

/** Returns the statement that inserts a fulfilled order. */
const insertOrder = (id: string) =>
  `insert into orders (id, user_id, coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key, status,
     provider, session_id, created_at, updated_at)
   values ('${id}', '${punterId}', 'starter_4', 'Horse Chestnut', 4, 4000, '${id}', 'fulfilled', 'stripe', '${id}',
     now(), now())`;

/** Returns the statements that insert a payout with the punter's sale. */
const insertPayout = (status: string, columns = "") => [
  "alter table payouts disable trigger user",
  "alter table payouts drop constraint payouts_export_state",
  "alter table payouts drop constraint payouts_check",
  "alter table payouts drop constraint payouts_check1",
  `with new_payout as (
     insert into payouts (creator_id, amount_cents, status, requested_at${columns && ", paid_at"})
     values ('${creatorId}', 10000, '${status}', now()${columns}) returning id)
   update earnings set payout_id = (select id from new_payout)
   where sale_id in (select id from sales where buyer_id = '${punterId}')`,
];

/** Returns the statements that leave the punter one coin for the sale beside those of a disputed purchase. */
const insertDisputedPurchase = () => {
  const id = randomUUID();
  return [
    "alter table ledger_postings disable trigger user",
    `update ledger_postings set amount = 1 where owner_id = '${punterId}' and account = 'wallet' and amount > 0`,
    insertOrder(id),
    `insert into coin_purchases (order_id, user_id, coin_pack_title, coins, amount_cents, currency,
       provider, session_id, transaction_id, dispute_status, created_at)
     select '${id}', '${punterId}', 'Horse Chestnut', 4, 4000, 'zar', 'stripe', '${id}', min(id), 'open', now()
     from ledger_transactions`,
  ];
};

/** Returns the statements that release a payout as a transfer. */
const insertTransfer = (payoutStatus: string, transfer: string, columns = "") => [
  ...insertPayout(payoutStatus, columns),
  `with new_export as (
     insert into payment_exports (created_at, format, number, payments, total_cents)
     values (now(), 'paystack', 101, 1, 10000) returning id)
   insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
   select new_export.id, payouts.id, creator_id, amount_cents, 'A' from new_export, payouts
   where creator_id = '${creatorId}'`,
  "update payouts set export_id = (select max(export_id::text)::uuid from payment_export_lines)",
  "alter table payout_transfers disable trigger user",
  `insert into payout_transfers (export_id, payout_id, created_at, changed_at)
   select export_id, id, now(), now() from payouts where export_id is not null`,
  `update payout_transfers set ${transfer}`,
];

/** Corruptions of payouts, each with the invariant that reports it. */
const CORRUPTIONS: Record<string, [invariant: string, corrupt: () => string[]]> = {
  "a paid payout that was in no payment file": [
    "30-paid-payouts-were-exported",
    () => insertPayout("paid", ", now()"),
  ],
  "a payout whose amount differs from its payment file": [
    "30-paid-payouts-were-exported",
    () => [
      ...insertPayout("processing"),
      "alter table payouts drop constraint payouts_export_line",
      `with new_export as (
         insert into payment_exports (created_at, format, number, payments, total_cents)
         values (now(), 'generic', 101, 1, 9999) returning id), new_line as (
         insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
         select new_export.id, payouts.id, creator_id, 9999, 'A' from new_export, payouts where creator_id = '${creatorId}'
         returning export_id)
       select 1 from new_line`,
      "update payouts set export_id = (select max(export_id::text)::uuid from payment_export_lines)",
    ],
  ],
  "a payout that its own creator started as an admin": [
    "37-nobody-acts-on-their-own-money",
    () => [
      ...insertPayout("processing"),
      `insert into audit_entries (actor_id, action, subject, created_at)
       select creator_id, 'start-payout', id::text, now() from payouts where creator_id = '${creatorId}'`,
    ],
  ],
  "a payment file that its own creator made as an admin": [
    "37-nobody-acts-on-their-own-money",
    () => [
      ...insertPayout("processing"),
      `with new_export as (
         insert into payment_exports (created_by, created_at, format, number, payments, total_cents)
         values ('${creatorId}', now(), 'generic', 103, 1, 10000) returning id)
       insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
       select new_export.id, payouts.id, creator_id, 10000, 'A' from new_export, payouts where creator_id = '${creatorId}'`,
    ],
  ],
  "a transfer in progress whose payout counts as paid": [
    "43-transfers-match-payouts",
    () => insertTransfer("paid", "status = 'pending'", ", now()"),
  ],
  "a transfer that succeeded without a paid payout": [
    "43-transfers-match-payouts",
    () => insertTransfer("processing", "status = 'paid', provider_status = 'success'"),
  ],
  "a transfer that failed whose payout stays locked": [
    "43-transfers-match-payouts",
    () => insertTransfer("processing", "status = 'failed', provider_status = 'failed'"),
  ],
  "a paid payout whose transfer succeeded only here": [
    "43-transfers-match-payouts",
    () => insertTransfer("paid", "status = 'paid', provider_status = 'failed'", ", now()"),
  ],
  "coins that an admin granted to themselves": [
    "37-nobody-acts-on-their-own-money",
    () => [
      `insert into audit_entries (actor_id, action, subject, details, created_at)
       values ('${creatorId}', 'grant-coins', 'grant:1', '{"userId": "${creatorId}"}', now())`,
    ],
  ],
  "a disputed sale in an exported payout without an alert": [
    "31-disputed-earnings-are-not-paid",
    () => [
      ...insertDisputedPurchase(),
      ...insertPayout("processing"),
      "alter table payouts drop constraint payouts_export_line",
      `with new_export as (
         insert into payment_exports (created_at, format, number, payments, total_cents)
         values (now(), 'generic', 102, 1, 10000) returning id)
       update payouts set export_id = (select id from new_export)`,
    ],
  ],
};

it.each(Object.entries(CORRUPTIONS))(
  "the invariants report %s",
  async (_, [invariant, corrupt]) => {
    for (const reported of await listViolations(client, corrupt, [invariant]))
      expect(reported).toEqual([invariant]);
  },
);
