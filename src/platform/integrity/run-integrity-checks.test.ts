import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rollUpEarnings } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { makeAdmin, makeUser, publishRaceCard, reverseEarningsOfBuyer } from "#test/factories.ts";
import { listViolations } from "#test/integrity-checks.ts";
import { followMachineClock } from "#test/test-clock.ts";
import { runIntegrityChecks } from "./run-integrity-checks.server.ts";

let client: Client;
let punterId: string;
let creatorId: string;
let raceCardId: string;
let guestDealCreatorId: string;

beforeAll(async () => {
  followMachineClock();
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await makeAdmin();
  await startLog();
  const raceCard = await publishRaceCard({ races: [1, 2, 3] });
  const guestDealCard = await publishRaceCard({ venue: "greyville" });
  await appendToLog();
  const punter = await makeUser({ coins: 12 });
  await unlockRaceCardAs(punter.id, raceCard);
  const refundedBuyer = await makeUser({ coins: 4 });
  await unlockRaceCardAs(refundedBuyer.id, raceCard);
  await reverseEarningsOfBuyer(refundedBuyer.id, "refund");
  punterId = punter.id;
  guestDealCreatorId = guestDealCard.creatorId;
  for (let guest = 0; guest < 5; guest += 1)
    await unlockRaceCardAs((await makeUser({ coins: 4 })).id, guestDealCard);
  [creatorId, raceCardId] = [raceCard.creatorId, raceCard.raceCardId];
});

afterAll(() => client.end());

/** Returns the statement that inserts a paid order without a payment. */
const insertOrder = (id: string) =>
  `insert into orders (id, user_id, coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key, status,
     provider, session_id, created_at, updated_at)
   values ('${id}', '${punterId}', 'starter_4', 'Horse Chestnut', 4, 4000, '${id}', 'fulfilled', 'stripe', '${id}',
     now(), now())`;

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
    "alter table tip_commitments drop constraint tip_commitments_tip_id_fkey",
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
      `insert into coin_purchases (order_id, user_id, coin_pack_title, coins, amount_cents, currency,
         provider, session_id, transaction_id, refunded_cents, created_at)
       select '${id}', '${punterId}', 'Horse Chestnut', 4, 4000, 'zar', 'stripe', '${id}', min(id), 4001, now()
       from ledger_transactions`,
    ];
  },
  "14-records-match-tips": () => [
    `update creator_records set settled = 1, won = 1 where creator_id = '${creatorId}'`,
  ],
  "15-events-are-processed": () => [
    `insert into payment_events (provider, id, type, received_at, recorded_at)
     values ('stripe', 'evt_lost', 'checkout.session.completed', now(), now() - interval '6 minutes')`,
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
  "20-purchases-match-payments": () => insertPurchase({ refunded_cents: 1000 }),
  "22-sales-lack-lost-coins": () => [
    `update earnings set lacking_coins = 1
     where sale_id in (select id from sales where buyer_id = '${punterId}')`,
  ],
  "23-unspent-coins-were-received": () => [
    "alter table ledger_postings disable trigger user",
    `update ledger_postings set amount = 1 where owner_id = '${punterId}' and amount = 12`,
  ],
  "24-coin-returns-add-up": () => [voidTips("1 second"), ...returnCoins({ coins: 3 })],
  "25-void-tips-return-coins": () => [voidTips("6 minutes")],
  "27-lateness-matches-known-off-times": () => [
    `with race_day as (insert into race_days (venue_id, race_date, source, reported_at)
       select venue_id, race_date, 'test', now() from race_cards where id = '${raceCardId}' returning id)
     insert into races (race_day_id, race_number, off_at) select id, 2, now() + interval '1 hour' from race_day`,
    "alter table tips disable trigger user",
    `update tips set is_late = true where race_card_id = '${raceCardId}' and race_number = 2`,
  ],
  "35-tips-follow-official-results": () => confirmResult("abandoned"),
  "36-race-results-are-complete": () => insertResult({ version: 2 }),
  "19-results-of-tips-have-two-authors": () => [
    "alter table tips disable trigger user",
    `update tips set result = 'lost', settled_at = now(), settled_by = (select user_id from user_roles
       where role = 'admin' limit 1) where race_card_id = '${raceCardId}' and race_number = 1`,
  ],
  "26-void-race-cards-stay-closed": () => [
    `insert into void_race_cards values ('${raceCardId}', now() - interval '10 seconds')`,
    `insert into batches (creator_id, idempotency_key, race_card_id, race_numbers, created_at)
     values ('${creatorId}', 'added-after-void', '${raceCardId}', '{4}', now())`,
  ],
  "21-scratched-tips-match-runners": () => [
    `with race_day as (insert into race_days (venue_id, race_date, source, reported_at)
       select venue_id, race_date, 'test', now() from race_cards where id = '${raceCardId}' returning id)
     insert into races (race_day_id, race_number, off_at) select id, 2, now() + interval '1 hour' from race_day`,
    `insert into runners (race_day_id, race_number, number, horse_name, source, reported_at)
     select r.race_day_id, 2, t.horse_number, t.horse_name, 'test', now() from tips t, races r
     where t.race_card_id = '${raceCardId}' and t.race_number = 2 and r.race_number = 2 and r.race_day_id in
       (select d.id from race_days d join race_cards c using (venue_id, race_date) where c.id = '${raceCardId}')`,
    `insert into tip_scratchings (tip_id, race_card_id, scratched_at)
     select id, race_card_id, now() from tips where race_card_id = '${raceCardId}' and race_number = 2`,
    `select refresh_offers(array['${raceCardId}']::uuid[])`,
  ],
  "28-offers-match-race-cards": () => [
    `update race_card_offers set closes_at = closes_at + interval '1 minute' where race_card_id = '${raceCardId}'`,
  ],
  "29-earnings-wait-for-their-race": () => [
    // The payable date of the sale of a race card that is run 14 days later.
    "alter table race_cards disable trigger user",
    `update race_cards set race_date = race_date + 13 where id = '${raceCardId}'`,
  ],
  "30-paid-payouts-were-exported": () => [
    `insert into payment_exports (created_at, format, number, payments, total_cents)
     values (now(), 'generic', 101, 2, 11200)`,
  ],
  "43-transfers-match-payouts": () => [
    `with new_export as (
       insert into payment_exports (created_at, format, number, payments, total_cents)
       values (now(), 'paystack', 101, 1, 11200) returning id
     ), new_payout as (
       insert into payouts (creator_id, amount_cents, requested_at)
       values ('${creatorId}', 11200, now()) returning id
     ), new_line as (
       insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
       select new_export.id, new_payout.id, '${creatorId}', 11200, 'A' from new_export, new_payout
       returning export_id, payout_id
     ) insert into payout_transfers (export_id, payout_id, created_at, changed_at)
       select export_id, payout_id, now(), now() from new_line`,
  ],
  "32-closed-accounts-are-empty": () => [
    `update users set closed_at = now() where id = '${creatorId}'`,
  ],
  "40-refunds-match-payments": () => [
    ...insertPurchase({}),
    `insert into purchase_refunds (id, purchase_id, amount_cents, is_borne_by_house, reason, requested_by,
       returned_cents_before, status, created_at)
     select new_id(), id, amount_cents + 1, false, 'planted', null, 0, 'requested', now() from coin_purchases limit 1`,
  ],
  "42-claims-match-refunds": () => [
    `insert into ledger_transactions (kind, reference, created_at) values ('claim', 'planted', now())`,
  ],
  "33-there-is-an-admin": () => [
    "alter table user_roles disable trigger user",
    "delete from user_roles where role = 'admin'",
  ],
  "37-nobody-acts-on-their-own-money": () => [
    `insert into audit_entries (actor_id, action, subject, created_at)
     select creator_id, 'release-earning', 'sale:' || sale_id, now() from earnings limit 1`,
  ],
  "31-disputed-earnings-are-not-paid": () => [
    `with new_payout as (
       insert into payouts (creator_id, amount_cents, status, requested_at, stopped_at)
       values ('${creatorId}', 10000, 'stopped', now(), now()) returning id)
     update earnings set payout_id = (select id from new_payout)
     where sale_id in (select id from sales where buyer_id = '${punterId}')`,
  ],
  "34-guest-deals-are-reviewed": () => [
    `update wallets set guest_deal_at = now()
     where user_id in (select buyer_id from sales where creator_id = '${guestDealCreatorId}')`,
    `with new_payout as (
       insert into payouts (creator_id, amount_cents, status, requested_at)
       values ('${guestDealCreatorId}', 14000, 'requested', now()) returning id)
     update earnings set payout_id = (select id from new_payout) where creator_id = '${guestDealCreatorId}'`,
  ],
  "41-figures-match-tips": () => [
    `insert into creator_figures (creator_id, computed_at, settled, won, void_tips, late_tips, starting_price_tips,
       staked_cents, profit_cents, figures)
     values ('${creatorId}', now(), 1, 1, 0, 0, 1, 1000, 5000, '{}')`,
  ],
  "38-tips-are-in-the-log": () => [
    "alter table tips disable trigger user",
    `update tips set horse_name = 'The Winner' where race_card_id = '${raceCardId}' and race_number = 2`,
  ],
  "39-the-log-is-whole": () => [
    "alter table proof_checkpoints disable trigger user",
    "delete from proof_checkpoints",
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
    `insert into coin_purchases (id, order_id, user_id, coin_pack_title, coins, amount_cents, currency,
       provider, session_id, transaction_id, created_at${columns.join("")})
     select '${id}', '${id}', '${punterId}', 'Horse Chestnut', 4, 4000, 'zar', 'stripe', '${id}', min(id),
       now()${values.join("")} from ledger_transactions`,
  ];
}

/** Returns a purchase that was refunded although its coins still count, with an adjustment without postings. */
function insertRefundedPurchase(): string[] {
  const id = randomUUID();
  return [
    ...insertPurchase({ refunded_cents: 4000, recovered_coins: 4 }, id),
    `insert into purchase_adjustments (purchase_id, transaction_id, kind, cents, coins, welcome_coins, created_at)
     select '${id}', max(id), 'refund', 4000, 4, 0, now() from ledger_transactions`,
  ];
}

/** Returns the statements that confirm the result of race 1 of the race card without settling its tips. */
const confirmResult = (status: "official" | "abandoned"): string[] => [
  `with race_day as (insert into race_days (venue_id, race_date, source, reported_at)
     select venue_id, race_date, 'test', now() from race_cards where id = '${raceCardId}' returning id)
   insert into races (race_day_id, race_number, off_at) select id, 1, now() + interval '1 hour' from race_day`,
  `insert into race_results (race_day_id, race_number, version, status, off_at, starters, places_paid, source,
     via, entered_at, confirmed_by, confirmed_at)
   select r.race_day_id, 1, 1, '${status}', ${status === "official" ? "now(), 8, 3" : "null, null, 0"}, 'test',
     'feed', now(), '${punterId}', now()
   from races r join race_days d on d.id = r.race_day_id
   join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
   where c.id = '${raceCardId}' and r.race_number = 1`,
];

/** Returns the statements that confirm the result of a race without tips, with its runners. */
function insertResult(
  changes: Record<string, string | number | null> = {},
  runners: string[] = [
    "(4, 'Cold Front', 'finished', 1)",
    "(1, 'Sea Mist', 'finished', 1)",
    "(7, 'Red Kite', 'finished', 3)",
    "(2, 'Old Song', 'non-runner', null::int)",
  ],
): string[] {
  const row = {
    version: 1,
    status: "official",
    off_at: "2001-01-01 12:00Z",
    starters: 3,
    places_paid: 0,
    reason: "test",
    ...changes,
  };
  const values = Object.values(row).map((value) => (value === null ? "null" : `'${value}'`));
  return [
    `with race_day as (insert into race_days (venue_id, race_date, source, reported_at)
       select id, '2001-01-01', 'test', now() from venues limit 1 returning id)
     insert into races (race_day_id, race_number, off_at) select id, 1, '2001-01-01 12:00Z' from race_day`,
    `insert into race_results (race_day_id, race_number, ${Object.keys(row).join(", ")}, source, via, entered_at)
     select id, 1, ${values.join(", ")}, 'test', 'feed', now() from race_days where race_date = '2001-01-01'`,
    ...runners.map(
      (
        runner,
      ) => `insert into result_runners (race_day_id, race_number, version, number, horse_name, outcome, position)
       select id, 1, ${row.version}, v.* from race_days d, (values ${runner}) v where race_date = '2001-01-01'`,
    ),
    `update race_results set confirmed_by = '${punterId}', confirmed_at = now()
     where race_day_id = (select id from race_days where race_date = '2001-01-01')`,
  ];
}

const RESULT_RACE_DAY = "(select id from race_days where race_date = '2001-01-01')";
/** Returns the statements that declare the runners of the result before it was entered. */
const declareBefore = (...runners: string[]): string[] => [
  `update race_days set reported_at = now() - interval '1 hour' where race_date = '2001-01-01'`,
  `insert into runners (race_day_id, race_number, number, horse_name, source, reported_at)
   select ${RESULT_RACE_DAY}, 1, v.*, 'test', now() - interval '1 hour' from (values ${runners.join(", ")}) v`,
];
const DECLARED = ["(4, 'Cold Front')", "(1, 'Sea Mist')", "(7, 'Red Kite')", "(2, 'Old Song')"];
/** A result without declared runners: the names of the placed horses were entered. */
const ENTERED_NAMES = { has_entered_names: "true", starters: 9, places_paid: 2 };
const NAMED_RUNNERS = [
  "(4, 'Cold Front', 'finished', 1)",
  "(1, 'Sea Mist', 'finished', 2)",
  "(7, null, 'finished', 3)",
];

const RACE_RESULT_CASES: [string, () => string[], boolean][] = [
  [
    "does not report a result with the names of the placed horses alone",
    () => insertResult(ENTERED_NAMES, NAMED_RUNNERS),
    false,
  ],
  [
    "reports a placed horse whose name was not entered",
    () => insertResult({ ...ENTERED_NAMES, places_paid: 3 }, NAMED_RUNNERS),
    true,
  ],
  [
    "reports a winner whose name was not entered, when no places are paid",
    () =>
      insertResult({ ...ENTERED_NAMES, places_paid: 0, starters: 5 }, [
        "(4, null, 'finished', 1)",
        "(1, 'Sea Mist', 'finished', 2)",
      ]),
    true,
  ],
  [
    "does not report the result of declared runners",
    () => [...insertResult(), ...declareBefore(...DECLARED)],
    false,
  ],
  [
    "reports a placed horse that is not declared, without a name",
    () => insertResult({}, [...NAMED_RUNNERS.slice(0, 2), "(9, null, 'finished', 3)"]),
    true,
  ],
  [
    "reports a placed horse that is not declared, with a name",
    () => [...insertResult(), ...declareBefore(...DECLARED.slice(1))],
    true,
  ],
  [
    "reports a horse with the number of another declared one",
    () => [...insertResult(), ...declareBefore("(4, 'Late Entry')", ...DECLARED.slice(1))],
    true,
  ],
  [
    "reports a result with the names of placed horses alone although runners were declared",
    () => [...insertResult(ENTERED_NAMES, NAMED_RUNNERS), ...declareBefore(...DECLARED)],
    true,
  ],
  [
    "reports a result without names although runners were declared",
    () => [
      ...insertResult({ starters: 9 }, ["(4, null::text, 'finished', 1)"]),
      ...declareBefore(...DECLARED),
    ],
    true,
  ],
  [
    "does not report a result after which other runners were declared",
    () => [
      ...insertResult(ENTERED_NAMES, NAMED_RUNNERS),
      ...declareBefore("(4, 'Late Entry')"),
      "update race_days set reported_at = now() + interval '1 second' where race_date = '2001-01-01'",
    ],
    false,
  ],
  ["does not report a complete result with a dead heat", () => insertResult(), false],
  [
    "does not report an abandoned race without runners",
    () => insertResult({ status: "abandoned", off_at: null, starters: null }, []),
    false,
  ],
  [
    "reports an abandoned race with runners",
    () => insertResult({ status: "abandoned", off_at: null, starters: null }),
    true,
  ],
  ["reports a wrong number of starters", () => insertResult({ starters: 4 }), true],
  [
    "reports a result without a winner",
    () => insertResult({ starters: 1 }, ["(4, 'Cold Front', 'finished', null::int)"]),
    true,
  ],
  [
    "reports a gap in the finishing order",
    () =>
      insertResult({ starters: 2 }, [
        "(4, 'Cold Front', 'finished', 1)",
        "(1, 'Sea Mist', 'finished', 3)",
      ]),
    true,
  ],
  [
    "reports a result entered by one person that is not marked",
    () => [
      ...insertResult(),
      "alter table race_results disable trigger user",
      "alter table race_results drop constraint race_results_two_people, drop constraint race_results_source_known",
      `update race_results set entered_by = confirmed_by, is_entered_by_one_person = false
       where race_day_id = (select id from race_days where race_date = '2001-01-01')`,
    ],
    true,
  ],
  [
    "reports a result that nobody is known to have entered and that is not marked",
    () => [
      ...insertResult(),
      ...removeMark(
        "race_day_id = (select id from race_days where race_date = '2001-01-01')",
        "null",
        "confirmed_by",
      ),
    ],
    true,
  ],
  [
    "does not report a result of two people that is not marked",
    () => [
      ...confirmResult("abandoned"),
      ...removeMark(`confirmed_by = '${punterId}'`, ANOTHER_PERSON, "confirmed_by"),
    ],
    false,
  ],
  [
    "reports a result that an admin with tips in the race entered and that is not marked",
    () => [
      ...confirmResult("abandoned"),
      ...removeMark(`confirmed_by = '${punterId}'`, `'${creatorId}'`, "confirmed_by"),
    ],
    true,
  ],
  [
    "reports a result that an admin with tips in the race confirmed and that is not marked",
    () => [
      ...confirmResult("abandoned"),
      ...removeMark(`confirmed_by = '${punterId}'`, ANOTHER_PERSON, `'${creatorId}'`),
    ],
    true,
  ],
];

const ANOTHER_PERSON =
  "(select id from users u where id <> confirmed_by and not exists (select from creators k where k.user_id = u.id) limit 1)";

/** Returns the statements that change the authors of results and remove their marks. */
const removeMark = (results: string, enteredBy: string, confirmedBy: string): string[] => [
  "alter table race_results disable trigger user",
  "alter table race_results drop constraint race_results_two_people, drop constraint race_results_source_known",
  `update race_results set is_entered_by_one_person = false, entered_by = ${enteredBy},
     confirmed_by = ${confirmedBy} where ${results}`,
];

/** Returns the statements that settle the tip of race 1 as void and set its result to `result`. */
const settleTip = (result: string): string[] => [
  `insert into tip_settlements (tip_id, race_day_id, race_number, version, rules, outcome, void_reason,
     dead_heat_count, settled_at)
   select t.id, o.race_day_id, 1, 1, 'test', 'void', 'abandoned', 1, now()
   from tips t join race_cards c on c.id = t.race_card_id
   join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date and o.race_number = 1
   where t.race_card_id = '${raceCardId}' and t.race_number = 1`,
  `update tips set result = '${result}', settled_at = now(), settlement_version = 1
   where race_card_id = '${raceCardId}' and race_number = 1`,
];

/** Returns the statements that give the result of race 1 a winner with the number of the tip and a name. */
const enterNames = (winner: string): string[] => [
  "alter table race_results disable trigger user",
  `update race_results set has_entered_names = true where confirmed_by = '${punterId}'`,
  "alter table result_runners disable trigger user",
  `insert into result_runners (race_day_id, race_number, version, number, horse_name, outcome, position)
   select r.race_day_id, 1, 1, t.horse_number, '${winner}', 'finished', 1
   from race_results r, tips t where r.confirmed_by = '${punterId}'
     and t.race_card_id = '${raceCardId}' and t.race_number = 1`,
];

/** Returns the statements that settle the tip of race 1, which is a tip to win, by entered names. */
const settleByNames = (
  outcome: "won" | "lost" | "void",
  reason: string | null = null,
): string[] => [
  `insert into tip_settlements (tip_id, race_day_id, race_number, version, rules, outcome, void_reason, position,
     dead_heat_count, win_stake_cents, settled_at)
   select t.id, o.race_day_id, 1, 1, 'test', '${outcome}', ${reason === null ? "null" : `'${reason}'`},
     ${outcome === "won" ? 1 : "null"}, 1, ${reason === null ? 1000 : "null"}, now()
   from tips t join race_cards c on c.id = t.race_card_id
   join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date and o.race_number = 1
   where t.race_card_id = '${raceCardId}' and t.race_number = 1`,
  `update tips set result = '${outcome}', settled_at = now(), settlement_version = 1
   where race_card_id = '${raceCardId}' and race_number = 1`,
];

/** Returns the statements that mark the result of race 1 as entered and confirmed by one person. */
const enterByOnePerson = (): string[] => [
  "alter table race_results disable trigger user",
  "alter table race_results drop constraint race_results_source_known",
  `update race_results set entered_by = confirmed_by, is_entered_by_one_person = true
   where confirmed_by = '${punterId}'`,
];

/** Makes the result and the settlement older than the newest changes. */
const ageOfficialResult = (): string[] => [
  "alter table race_results disable trigger user",
  `update race_results set confirmed_at = now() - interval '1 hour' where confirmed_by = '${punterId}'`,
  "alter table tip_settlements disable trigger user",
  "update tip_settlements set settled_at = now() - interval '1 hour' where rules = 'test'",
];

const OFFICIAL_RESULT_CASES: [string, () => string[], boolean][] = [
  [
    "does not report a tip that follows the result",
    () => [...confirmResult("abandoned"), ...settleTip("void")],
    false,
  ],
  [
    "reports a tip with another result than its settlement",
    () => [...confirmResult("abandoned"), ...settleTip("lost")],
    true,
  ],
  [
    "reports a recently changed tip that no longer follows an older result",
    () => [
      ...confirmResult("abandoned"),
      ...settleTip("void"),
      ...ageOfficialResult(),
      `update tips set settlement_version = null where race_card_id = '${raceCardId}' and race_number = 1`,
    ],
    true,
  ],
  [
    "does not report a void tip of a race card that an admin voided",
    () => [
      ...confirmResult("abandoned"),
      ...settleTip("void"),
      `update tips set settlement_version = null where race_card_id = '${raceCardId}' and race_number = 1`,
      `insert into void_race_cards values ('${raceCardId}', now(), true)`,
    ],
    false,
  ],
  [
    "reports a void tip that follows no result on a race card that only became void",
    () => [
      ...confirmResult("abandoned"),
      ...settleTip("void"),
      `update tips set settlement_version = null where race_card_id = '${raceCardId}' and race_number = 1`,
      `insert into void_race_cards values ('${raceCardId}', now(), false)`,
    ],
    true,
  ],
  [
    "does not report a tip of a result without names, from before they were entered",
    () => confirmResult("official"),
    false,
  ],
  [
    "reports a tip of a result with entered names that is not settled",
    () => [...confirmResult("official"), ...enterNames("Secret Horse 1")],
    true,
  ],
  [
    "does not report a tip that was settled by entered names",
    () => [...confirmResult("official"), ...enterNames("Secret Horse 1"), ...settleByNames("won")],
    false,
  ],
  [
    "reports a tip that was settled as lost although number and name are those of the winner",
    () => [...confirmResult("official"), ...enterNames("Secret Horse 1"), ...settleByNames("lost")],
    true,
  ],
  [
    "reports a tip that was settled as won although only its number is that of the winner",
    () => [...confirmResult("official"), ...enterNames("Sea Mist"), ...settleByNames("won")],
    true,
  ],
  [
    "does not report a tip that is void because only its number is that of the winner",
    () => [
      ...confirmResult("official"),
      ...enterNames("Sea Mist"),
      ...settleByNames("void", "horse-unclear"),
    ],
    false,
  ],
  [
    "does not report a tip that a change of surface voided",
    () => [
      ...confirmResult("official"),
      ...enterNames("Secret Horse 1"),
      ...settleByNames("void", "moved-surface"),
    ],
    false,
  ],
  [
    "reports a tip of a corrected result that is still settled by the first version",
    () => [
      ...confirmResult("abandoned"),
      ...settleTip("void"),
      `insert into race_results (race_day_id, race_number, version, status, places_paid, source, via,
         entered_at, confirmed_by, confirmed_at, reason)
       select race_day_id, 1, 2, 'void', 0, 'test', 'feed', now(), confirmed_by, now(), 'Wrong'
       from race_results where confirmed_by = '${punterId}'`,
    ],
    true,
  ],
];

/** Further corruptions of refunds and disputes, each with the invariant that reports it. */
const REFUND_CORRUPTIONS: Record<string, [string, () => string[]]> = {
  "a sale that lacks coins that are not booked": [
    "22-sales-lack-lost-coins",
    () => [
      // Without the refunded coins, one coin is left for the sale.
      "alter table ledger_postings disable trigger user",
      `update ledger_postings set amount = 1 where owner_id = '${punterId}' and amount = 12`,
      "alter table ledger_transactions disable trigger user",
      "update ledger_transactions set created_at = created_at - interval '7 minutes' where kind = 'grant'",
      ...insertRefundedPurchase(),
    ],
  ],
  "a refund whose money was posted twice": [
    "20-purchases-match-payments",
    () => [
      `select post_to_ledger('refund', 'twice', now(), '[
         {"account": "provider", "unit": "cent", "amount": -4000},
         {"account": "coin sales", "unit": "cent", "amount": 4000}]')`,
    ],
  ],
  "an order at another price than that of its coin pack": [
    "20-purchases-match-payments",
    () => [insertOrder(randomUUID()).replace("4, 4000", "4, 4400")],
  ],
  "an adjustment that differs from its postings": [
    "20-purchases-match-payments",
    insertRefundedPurchase,
  ],
  "a sale that is not held although its payment is disputed": [
    "31-disputed-earnings-are-not-paid",
    () => [
      // Without the disputed coins, one coin is left for the sale.
      "alter table ledger_postings disable trigger user",
      `update ledger_postings set amount = 1 where owner_id = '${punterId}' and amount = 12`,
      ...insertPurchase({ dispute_status: "open" }),
    ],
  ],
  "a sale that is held although no dispute is open": [
    "31-disputed-earnings-are-not-paid",
    () => [
      `update earnings set held_at = now(), held_reason = 'dispute'
       where sale_id in (select id from sales where buyer_id = '${punterId}')`,
    ],
  ],
};

/** Returns the statements that set a tip to won by one admin. */
const setResultByOnePerson = () => [
  "alter table tips disable trigger user",
  "alter table tip_results disable trigger user",
  `insert into tip_results (race_card_id, tip_id, result, reason, entered_by, entered_at, confirmed_by, confirmed_at,
     is_entered_by_one_person)
   select t.race_card_id, t.id, 'won', 'test', r.user_id, now(), r.user_id, now(), true
   from tips t, (select user_id from user_roles where role = 'admin' limit 1) r
   where t.race_card_id = '${raceCardId}' and t.race_number = 2`,
  `update tips set result = 'won', settled_at = r.confirmed_at, settled_by = r.confirmed_by
   from tip_results r where r.tip_id = tips.id`,
];

/** Corruptions of the marks for results entered by one person, which invariant 14 checks. */
const MARK_CORRUPTIONS: [string, () => string[], boolean][] = [
  [
    "report a record that is marked but has no result entered by one person",
    () => [
      `update creator_records set has_one_person_results = true where creator_id = '${creatorId}'`,
    ],
    true,
  ],
  [
    "do not report a record that is marked for a result that an admin entered for a single tip",
    () => [
      ...setResultByOnePerson(),
      `update creator_records set settled = settled + 1, won = won + 1, has_one_person_results = true
       where creator_id = '${creatorId}'`,
    ],
    false,
  ],
  [
    "report a record that is not marked but has a result that an admin entered for a single tip",
    () => [
      ...setResultByOnePerson(),
      `update creator_records set settled = settled + 1, won = won + 1 where creator_id = '${creatorId}'`,
    ],
    true,
  ],
  [
    "report a record that is not marked but has a result entered by one person",
    () => [
      ...confirmResult("abandoned"),
      ...settleTip("void"),
      ...enterByOnePerson(),
      `update creator_records set tips = tips - 1 where creator_id = '${creatorId}'`,
    ],
    true,
  ],
  [
    "do not report a record that is marked and has a result entered by one person",
    () => [
      ...confirmResult("abandoned"),
      ...settleTip("void"),
      ...enterByOnePerson(),
      `update creator_records set tips = tips - 1, has_one_person_results = true
       where creator_id = '${creatorId}'`,
    ],
    false,
  ],
];

/** Results of single tips, which invariant 19 checks. */
const TIP_AUTHOR_CASES: [string, () => string[], boolean][] = [
  ["does not report a result that is marked", setResultByOnePerson, false],
  [
    "reports a result of one person that is not marked",
    () => [
      "alter table tip_results drop constraint tip_results_two_people",
      ...setResultByOnePerson(),
      "update tip_results set is_entered_by_one_person = false",
    ],
    true,
  ],
  [
    "reports a result that is not marked though its first author has tips in the race",
    () => [
      ...setResultByOnePerson(),
      `update tip_results set is_entered_by_one_person = false, entered_by = '${creatorId}'`,
    ],
    true,
  ],
  [
    "reports a result that was confirmed for another tip",
    () => [
      ...setResultByOnePerson(),
      `update tip_results set tip_id = (select id from tips where race_card_id = '${raceCardId}' and race_number = 3)`,
    ],
    true,
  ],
];

/** The corruption that only a full check reports. */
const FULL_CHECK_ONLY = "03-balances-match-postings";

/** Returns the statement that voids every tip of the race card, settled this long ago. */
const voidTips = (age: string) =>
  `update tips set result = 'void', settled_at = now() - interval '${age}'
   where race_card_id = '${raceCardId}'`;

/**
 * Returns the statements that return coins of a sale to its buyer, by default for all void tips. If all coins are
 * returned without a reduction of the earning, the earning is reversed.
 */
function returnCoins({
  coins = 4,
  totalCoins = coins,
  postedCoins = coins,
  reducedCents = 0,
  isReversed = coins === 4 && reducedCents === 0,
  postedCents = isReversed ? 2800 : reducedCents,
  isSoldAfterRaces = false,
}: {
  coins?: number;
  totalCoins?: number;
  postedCoins?: number;
  reducedCents?: number;
  isReversed?: boolean;
  postedCents?: number;
  isSoldAfterRaces?: boolean;
} = {}): string[] {
  const sale = `sales s where s.buyer_id = '${punterId}' and s.race_card_id = '${raceCardId}'`;
  const cents =
    postedCents === 0
      ? ""
      : `, json_build_object('account', 'payable', 'owner', '${creatorId}', 'unit', 'cent', 'amount', -${postedCents}),
         json_build_object('account', 'commission', 'unit', 'cent', 'amount', ${postedCents})`;
  return [
    "alter table coin_returns disable trigger user",
    `insert into coin_returns (sale_id, step, coins, total_coins, reduced_cents, tip_ids, is_sold_after_races,
       transaction_id, created_at)
     select s.id, 1, ${coins}, ${totalCoins}, ${reducedCents},
       array(select t.id from tips t where t.id = any (s.tip_ids) and (${isSoldAfterRaces} or t.result = 'void')),
       ${isSoldAfterRaces},
       post_to_ledger('reversal', 'void:' || s.id || ':1', now(), json_build_array(
         json_build_object('account', 'wallet', 'owner', '${punterId}', 'unit', 'coin', 'amount', ${postedCoins}),
         json_build_object('account', 'redeemed', 'unit', 'coin', 'amount', -${postedCoins})${cents})::jsonb), now()
     from ${sale}`,
    `update earnings set amount_cents = amount_cents - ${reducedCents}
     where sale_id = (select s.id from ${sale})`,
    ...(isReversed
      ? [
          `insert into earning_reversals (sale_id, amount_cents, reason, transaction_id, created_at)
           select r.sale_id, 2800, 'void', r.transaction_id, r.created_at from coin_returns r
           where r.sale_id = (select s.id from ${sale})
           on conflict do nothing`,
        ]
      : []),
  ];
}

/** Returns the statements that report, this long ago, that the races were run before the race card was sold. */
const racesBeforeSales = (age: string): string[] => [
  `with race_day as (insert into race_days (venue_id, race_date, source, reported_at)
     select venue_id, race_date, 'test', now() - interval '${age}' from race_cards where id = '${raceCardId}' returning id)
   insert into races (race_day_id, race_number, off_at)
   select id, n, now() - interval '1 hour' from race_day, generate_series(1, 3) n`,
];

const VOID_RACES = "24-coin-returns-add-up";
const DUE_COINS = "25-void-tips-return-coins";
const validRace = () =>
  `update tips set result = null, settled_at = null
   where race_card_id = '${raceCardId}' and race_number = 2`;

/** Returns the statement that inserts a payout with the punter's earning. */
const insertPayout = () => [
  `with payout as (
     insert into payouts (creator_id, amount_cents, requested_at)
     values ('${creatorId}', 10000, now()) returning id)
   update earnings e set payout_id = payout.id from payout, sales s
   where s.id = e.sale_id and s.buyer_id = '${punterId}'`,
];

/** Valid and invalid coin returns, each with the invariants that report it. */
const COIN_RETURN_CASES: [string, () => string[], string[]][] = [
  [
    "report 3 coins for a void race card",
    () => [voidTips("6 minutes"), ...returnCoins({ coins: 3 })],
    [VOID_RACES, DUE_COINS],
  ],
  ["report missing coins after five minutes", () => [voidTips("301 seconds")], [DUE_COINS]],
  ["do not report missing coins within five minutes", () => [voidTips("299 seconds")], []],
  ["do not report a complete return", () => [voidTips("6 minutes"), ...returnCoins()], []],
  [
    "report missing coins of a race card with a valid race",
    () => [voidTips("6 minutes"), validRace()],
    [DUE_COINS],
  ],
  [
    "do not report a partial return",
    () => [voidTips("6 minutes"), validRace(), ...returnCoins({ coins: 3, reducedCents: 2100 })],
    [],
  ],
  [
    "report 4 coins for a race card with a valid race",
    () => [voidTips("6 minutes"), validRace(), ...returnCoins({ reducedCents: 2100 })],
    [VOID_RACES],
  ],
  ["report coins for tips that are not void", () => returnCoins({ coins: 1 }), [VOID_RACES]],
  [
    "report postings with another number of coins",
    () => [voidTips("6 minutes"), ...returnCoins({ postedCoins: 2 })],
    [VOID_RACES],
  ],
  [
    "report a reduction that was not posted",
    () => [
      voidTips("6 minutes"),
      validRace(),
      ...returnCoins({ coins: 3, reducedCents: 2100, postedCents: 1400 }),
    ],
    ["09-earnings-match-the-ledger", VOID_RACES],
  ],
  [
    "report a reduction that the earning does not have",
    () => [
      voidTips("6 minutes"),
      validRace(),
      ...returnCoins({ coins: 3, reducedCents: 2100 }),
      "update earnings set amount_cents = 1400 where amount_cents = 700",
    ],
    ["09-earnings-match-the-ledger", VOID_RACES, DUE_COINS],
  ],
  [
    "report an earning that void tips did not reduce",
    () => [voidTips("301 seconds"), validRace(), ...returnCoins({ coins: 3 })],
    [DUE_COINS],
  ],
  [
    "do not report within five minutes an earning that void tips did not reduce",
    () => [voidTips("299 seconds"), validRace(), ...returnCoins({ coins: 3 })],
    [],
  ],
  [
    "report the full amount of an earning in a payout that is in no payment file",
    () => [voidTips("301 seconds"), validRace(), ...returnCoins({ coins: 3 }), ...insertPayout()],
    [DUE_COINS],
  ],
  [
    "do not report the full amount of an earning in a payment file",
    () => [
      voidTips("301 seconds"),
      validRace(),
      ...returnCoins({ coins: 3 }),
      ...insertPayout(),
      "alter table payouts drop constraint payouts_export_line",
      `with file as (
         insert into payment_exports (created_at, format, number, payments, total_cents)
         values (now(), 'generic', 103, 1, 10000) returning id)
       update payouts set status = 'processing', export_id = file.id from file`,
    ],
    [],
  ],
  [
    "report an earning of a void race card that was not reversed",
    () => [voidTips("301 seconds"), ...returnCoins({ isReversed: false })],
    [DUE_COINS],
  ],
  [
    "report an earning that was reversed although coins are left",
    () => [voidTips("301 seconds"), validRace(), ...returnCoins({ coins: 3, isReversed: true })],
    [DUE_COINS],
  ],
  [
    "report an earning that stays reduced after a correction",
    () => [
      voidTips("301 seconds"),
      validRace(),
      ...returnCoins({ coins: 3, reducedCents: 2100 }),
      `insert into result_entries (tip_id, result, actor_id, created_at)
       select id, 'void', '${creatorId}', now() from tips where result = 'void'`,
      `update tips set result = 'lost' where race_card_id = '${raceCardId}' and result = 'void'`,
    ],
    [DUE_COINS],
  ],
  [
    "report a total that is not the sum of the coin returns",
    () => [
      "alter table coin_returns drop constraint coin_returns_check",
      voidTips("6 minutes"),
      ...returnCoins({ coins: 2, totalCoins: 4 }),
    ],
    [VOID_RACES, DUE_COINS],
  ],
  [
    "report a transaction without a coin return",
    () => [
      `select post_to_ledger('reversal', 'void:1:9', now(), '[
         {"account": "redeemed", "unit": "coin", "amount": -1},
         {"account": "wallet", "owner": "${punterId}", "unit": "coin", "amount": 1}]')`,
    ],
    [VOID_RACES],
  ],
  [
    "report a sale after its races whose coins were not returned",
    () => racesBeforeSales("301 seconds"),
    [DUE_COINS],
  ],
  [
    "do not report it within five minutes of the report of its races",
    () => racesBeforeSales("299 seconds"),
    [],
  ],
  [
    "do not report a sale after its races whose coins were returned",
    () => [...racesBeforeSales("301 seconds"), ...returnCoins({ isSoldAfterRaces: true })],
    [],
  ],
  [
    "report an earning of a sale after its races that was not reversed",
    () => [
      ...racesBeforeSales("301 seconds"),
      ...returnCoins({ isSoldAfterRaces: true, isReversed: false }),
    ],
    [DUE_COINS],
  ],
  [
    "report a reversal of another amount",
    () => [
      "alter table earning_reversals disable trigger user",
      "update earning_reversals set amount_cents = 2100",
    ],
    ["09-earnings-match-the-ledger"],
  ],
];

const PAYABLE = "29-earnings-wait-for-their-race";

/** Earnings and payouts that are payable in time or too early, and whether invariant 29 reports them. */
const PAYABLE_CASES: [string, () => string[], boolean][] = [
  [
    "reports an earning that is payable a second before 14 days after the sale",
    () => ["update earnings set payable_at = payable_at - interval '1 second'"],
    true,
  ],
  [
    "does not report an earning that is payable later",
    () => ["update earnings set payable_at = payable_at + interval '1 day'"],
    false,
  ],
  ["reports a payout that was requested before its earning was payable", insertPayout, true],
  [
    "does not report a payout that was requested when its earning was payable",
    () => [
      ...insertPayout(),
      `update payouts set requested_at = (select payable_at from earnings where payout_id = payouts.id)`,
    ],
    false,
  ],
];

/** Sales on right and wrong terms, and whether invariant 09 reports them. */
const TERMS_CASES: [string, () => string[], boolean][] = [
  [
    "reports a sale on other terms than those of its time",
    () => ["alter table sales disable trigger user", "update sales set price_cents = 4400"],
    true,
  ],
  [
    "reports a sale on terms that were not in force yet",
    () => [
      `insert into prices (subject, valid_from, value, created_at)
       select 'creator-share', created_at - interval '1 second', 75, created_at - interval '1 hour'
       from sales order by id limit 1`,
    ],
    true,
  ],
  [
    "does not report a sale before the terms change",
    () => [
      "insert into prices (subject, valid_from, value) values ('starter_4', now() + interval '1 day', 4400)",
    ],
    false,
  ],
  [
    "reports another share of the house in the ledger",
    () => [
      "alter table ledger_postings disable trigger user",
      `update ledger_postings p set amount = amount - 1 from sales s
       where s.transaction_id = p.transaction_id and p.account = 'commission'`,
    ],
    true,
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
    const corrupt = corruptions[invariant] ?? (() => []);
    const [full, recent] = await listViolations(client, corrupt, [invariant]);
    expect(full).toEqual([invariant]);
    if (invariant !== FULL_CHECK_ONLY) expect(recent).toEqual([invariant]);
  });

  it.each(Object.entries(STORED_SUM_CORRUPTIONS))("report %s", async (_, corrupt) => {
    await rollUpEarnings();
    expect((await runIntegrityChecks(client, { at: now() })).failures).toEqual([]);
    for (const reported of await listViolations(client, () => [corrupt()]))
      expect(reported).toEqual(["18-stored-earnings-match"]);
  });

  it.each(MARK_CORRUPTIONS)("%s", async (_, corrupt, isReported) => {
    for (const reported of await listViolations(client, corrupt, ["14-records-match-tips"]))
      expect(reported.length > 0).toBe(isReported);
  });

  it.each(TIP_AUTHOR_CASES)("invariant 19 %s", async (_, corrupt, isReported) => {
    for (const reported of await listViolations(client, corrupt, [
      "19-results-of-tips-have-two-authors",
    ]))
      expect(reported.length > 0).toBe(isReported);
  });

  it.each(COIN_RETURN_CASES)("%s", async (_, corrupt, expected) => {
    const relevant = ["09-earnings-match-the-ledger", VOID_RACES, DUE_COINS];
    for (const reported of await listViolations(client, corrupt, relevant))
      expect(reported).toEqual(expected);
  });

  it.each(TERMS_CASES)("invariant 09 %s", async (_, corrupt, isReported) => {
    for (const reported of await listViolations(client, corrupt, ["09-earnings-match-the-ledger"]))
      expect(reported.length > 0).toBe(isReported);
  });

  it.each(PAYABLE_CASES)("invariant 29 %s", async (_, corrupt, isReported) => {
    for (const reported of await listViolations(client, corrupt, [PAYABLE]))
      expect(reported.length > 0).toBe(isReported);
  });

  it.each(OFFICIAL_RESULT_CASES)("invariant 35 %s", async (_, corrupt, isReported) => {
    for (const reported of await listViolations(client, corrupt, [
      "35-tips-follow-official-results",
    ]))
      expect(reported.length > 0).toBe(isReported);
  });

  it.each(RACE_RESULT_CASES)("invariant 36 %s", async (_, corrupt, isReported) => {
    for (const reported of await listViolations(client, corrupt, ["36-race-results-are-complete"]))
      expect(reported.length > 0).toBe(isReported);
  });

  it.each(Object.entries(REFUND_CORRUPTIONS))("report %s", async (_, [invariant, corrupt]) => {
    for (const reported of await listViolations(client, corrupt, [invariant]))
      expect(reported).toEqual([invariant]);
  });

  it("hold again after a corruption is undone", async () => {
    expect((await runIntegrityChecks(client, { at: now() })).failures).toEqual([]);
  });
});
