import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeBankDetails } from "#payouts/payouts.server.ts";
import { makeTipster, makeUser } from "#test/factories.ts";
import { listViolations } from "#test/integrity-checks.ts";
import { followMachineClock } from "#test/test-clock.ts";

let client: Client;
let punterId: string;
let creatorId: string;

beforeAll(async () => {
  followMachineClock();
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  punterId = (await makeUser({ coins: 4 })).id;
  creatorId = (await makeTipster()).id;
  await writeBankDetails(creatorId, {
    holder: "S. Dube",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  });
});

afterAll(() => client.end());

const close = (userId: string) => [
  `delete from user_roles where user_id = '${userId}'`,
  `update users set closed_at = now() where id = '${userId}'`,
];

const forfeitAndClose = () => [
  `select post_to_ledger('forfeit', 'account:${punterId}', now(), '[
     {"account": "wallet", "owner": "${punterId}", "unit": "coin", "amount": -4},
     {"account": "forfeited", "owner": "${punterId}", "unit": "coin", "amount": 4}]')`,
  ...close(punterId),
];

const plantPurchase = () => [
  `with planted as (
     insert into orders (user_id, coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key, provider,
       created_at, updated_at)
     values ('${punterId}', 'starter_4', 'Starter', 4, 4000, 'planted', 'stripe', now(), now()) returning *)
   insert into coin_purchases (order_id, user_id, coin_pack_title, coins, amount_cents, currency, provider, session_id,
     transaction_id, created_at)
   select id, user_id, coin_pack_title, coins, amount_cents, currency, provider, 'planted',
     (select max(id) from ledger_transactions), now() from planted`,
];

/** Claims four coins for a failed refund of so many. */
const plantClaim = (refundedCoins: number) =>
  `insert into unspent_coin_refunds (user_id, purchase_id, coins, amount_cents, returned_cents_before, status,
     created_at, claimed_by, claim_transaction_id)
   select user_id, id, ${refundedCoins}, ${refundedCoins * 1000}, 0, 'claimed', now(), '${creatorId}',
     post_to_ledger('claim', 'planted', now(), '[
       {"account": "forfeited", "owner": "${punterId}", "unit": "coin", "amount": -4},
       {"account": "wallet", "owner": "${creatorId}", "unit": "coin", "amount": 4}]')
   from coin_purchases where user_id = '${punterId}'`;

/** Stores a refund that its provider accepted and that did not change the purchase. */
const plantRefund = (amountCents: number, requestedBy: string) =>
  `insert into purchase_refunds (id, purchase_id, amount_cents, is_borne_by_house, reason, requested_by,
     returned_cents_before, status, created_at)
   select new_id(), id, ${amountCents}, true, 'planted', '${requestedBy}', 0, 'sent', now()
   from coin_purchases where user_id = '${punterId}'`;

const EMPTY = "32-closed-accounts-are-empty";

/** Corruptions of accounts, each with the invariant that reports it. */
const CORRUPTIONS: Record<string, [invariant: string, corrupt: () => string[]]> = {
  "forfeited coins without postings": [
    "03-balances-match-postings",
    () => [
      ...forfeitAndClose(),
      `update wallets set forfeited_coins = 3 where user_id = '${punterId}'`,
    ],
  ],
  "a claim of more coins than the failed refunds had": [
    "42-claims-match-refunds",
    () => [...forfeitAndClose(), ...plantPurchase(), plantClaim(3)],
  ],
  "a claim of coins whose money went back to the payer": [
    "42-claims-match-refunds",
    () => [
      ...forfeitAndClose(),
      ...plantPurchase(),
      plantClaim(4),
      `update coin_purchases set refunded_cents = 4000 where user_id = '${punterId}'`,
    ],
  ],
  "a refund of more coins than were bought": [
    "42-claims-match-refunds",
    () => [
      ...plantPurchase(),
      `insert into unspent_coin_refunds
         (user_id, purchase_id, coins, amount_cents, returned_cents_before, status, created_at)
       select user_id, id, 5, 4000, 0, 'sent', now() from coin_purchases where user_id = '${punterId}'`,
    ],
  ],
  "a refund that did not go back to the payer": [
    "40-refunds-match-payments",
    () => [...plantPurchase(), plantRefund(4000, creatorId)],
  ],
  "a refund above the payment": [
    "40-refunds-match-payments",
    () => [...plantPurchase(), plantRefund(4001, creatorId)],
  ],
  "a refund that bears more coins than were bought": [
    "40-refunds-match-payments",
    () => [
      ...plantPurchase(),
      plantRefund(4000, creatorId),
      `select post_to_ledger('refund', 'planted', now(), '[
         {"account": "owed", "owner": "${punterId}", "unit": "coin", "amount": -5},
         {"account": "sold", "unit": "coin", "amount": 5}]')`,
      `update purchase_refunds set grant_transaction_id = post_to_ledger('grant', 'planted', now(), '[
         {"account": "owed", "owner": "${punterId}", "unit": "coin", "amount": 5},
         {"account": "granted", "unit": "coin", "amount": -5}]')`,
    ],
  ],
  "a failed refund whose granted coins stay": [
    "40-refunds-match-payments",
    () => [
      ...plantPurchase(),
      plantRefund(4000, creatorId),
      `update purchase_refunds set status = 'failed', grant_transaction_id = (select max(id) from ledger_transactions)`,
    ],
  ],
  "a refund of the admin's own purchase": [
    "37-nobody-acts-on-their-own-money",
    () => [...plantPurchase(), plantRefund(4000, punterId)],
  ],
  "forfeited coins that something other than a refund takes": [
    "11-coins-have-a-source",
    () => [
      ...forfeitAndClose(),
      `select post_to_ledger('purchase', 'planted', now(), '[
         {"account": "forfeited", "owner": "${punterId}", "unit": "coin", "amount": -4},
         {"account": "redeemed", "unit": "coin", "amount": 4}]')`,
    ],
  ],
  "coins in the wallet of a closed account": [
    EMPTY,
    () => ["alter table users disable trigger user", ...close(punterId)],
  ],
  "a closed creator with bank details": [EMPTY, () => close(creatorId)],
  ...Object.fromEntries(
    ["profile_image = '/uploads/photo'", "specialization = 'Sprints'", "bio = 'Since 1999'"].map(
      (kept): [string, [string, () => string[]]] => [
        `a closed creator with ${kept}`,
        [
          EMPTY,
          () => [
            `delete from bank_details where creator_id = '${creatorId}'`,
            `update creators set profile_image = null, specialization = '', bio = '' where user_id = '${creatorId}'`,
            `update creators set ${kept} where user_id = '${creatorId}'`,
            ...close(creatorId),
          ],
        ],
      ],
    ),
  ),
};

it.each(Object.entries(CORRUPTIONS))(
  "the invariants report %s",
  async (_, [invariant, corrupt]) => {
    for (const reported of await listViolations(client, corrupt, [invariant]))
      expect(reported).toEqual([invariant]);
  },
);

it("the invariants report nothing about accounts that were closed in full", async () => {
  const closeInFull = () => [
    `delete from bank_details where creator_id = '${creatorId}'`,
    ...close(creatorId),
    ...forfeitAndClose(),
  ];
  const invariants = [EMPTY, "03-balances-match-postings", "11-coins-have-a-source"];
  for (const reported of await listViolations(client, closeInFull, invariants))
    expect(reported).toEqual([]);
});
