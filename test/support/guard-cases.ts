import { randomUUID } from "node:crypto";
import { addDays, dateAt } from "#domain/calendar.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { makeTipster, makeUser, publishRaceCard, reportOffTimes } from "./factories.ts";

/** A statement that one schema guard refuses: a constraint, a unique index or a trigger. */
export type GuardCase = { table: string; guard: string; statement: string };

/** Tables whose guards must each have a case: money, tips and roles. */
export const GUARDED_TABLES = [
  "wallets",
  "ledger_transactions",
  "ledger_postings",
  "sales",
  "earnings",
  "earning_reversals",
  "payouts",
  "payment_exports",
  "payment_export_lines",
  "late_holds",
  "void_refunds",
  "orders",
  "coin_purchases",
  "purchase_adjustments",
  "earning_restorations",
  "guest_deals",
  "payment_reports",
  "stripe_events",
  "pending_registrations",
  "race_cards",
  "tips",
  "batches",
  "result_entries",
  "void_race_cards",
  "creator_records",
  "races",
  "audit_entries",
  "sessions",
  "credentials",
  "two_step_keys",
];

const later = (row: string) => `(select ${row} order by 1 desc limit 1)`;

const UNTALLIED = "exists (select from creator_records where tips > 0 and not is_tallied)";

const ONE = "where id = (select id from payouts limit 1)";
const PAID = "update payouts set status = 'paid', is_paid_unrecorded = true";
const EXPORTED =
  "update payouts set export_id = (select l.export_id from payment_export_lines l where l.payout_id = payouts.id)";

/** What each guard must refuse, by table. `raisesWhen` is for triggers that do not refuse. */
const CASES: Record<string, [guard: string, statement: string][]> = {
  wallets: [
    ["wallets_balance_coins_check", "update wallets set balance_coins = -1"],
    ["wallets_owed_coins_check", "update wallets set owed_coins = -1"],
  ],
  ledger_transactions: [
    ["ledger_transactions_valid", "update ledger_transactions set kind = 'gift'"],
    [
      "ledger_transactions_valid",
      "update ledger_transactions set reference = '' where id = (select min(id) from ledger_transactions)",
    ],
    [
      "ledger_transactions_kind_reference_key",
      "update ledger_transactions set (kind, reference) = ('grant', 'same')",
    ],
    ["ledger_transactions_append_only", "update ledger_transactions set created_at = now()"],
    ["ledger_transactions_append_only", "delete from ledger_transactions"],
    ["ledger_transactions_no_truncate", "truncate ledger_transactions cascade"],
  ],
  ledger_postings: [
    ["ledger_postings_valid", "update ledger_postings set account = 'pocket'"],
    ["ledger_postings_valid", "update ledger_postings set unit = 'coin' where account = 'payable'"],
    [
      "ledger_postings_valid",
      "update ledger_postings set owner_id = null where account = 'wallet'",
    ],
    [
      "ledger_postings_valid",
      "update ledger_postings set balance_after = null where account = 'wallet'",
    ],
    [
      "ledger_postings_valid",
      "update ledger_postings set owner_id = (select user_id from wallets limit 1) where account = 'sold'",
    ],
    ["ledger_postings_valid", "update ledger_postings set amount = 0"],
    [
      "ledger_postings_valid",
      "update ledger_postings set balance_after = -1 where account = 'wallet'",
    ],
    ["ledger_postings_append_only", "update ledger_postings set amount = amount + 1"],
    ["ledger_postings_append_only", "delete from ledger_postings"],
    ["ledger_postings_no_truncate", "truncate ledger_postings"],
    ["ledger_postings_balance", posting("('sold', 'coin', -1), ('redeemed', 'coin', 2)")],
    ["ledger_postings_balance", posting("('sold', 'coin', -1), ('provider', 'cent', 1)")],
    ["ledger_postings_balance", posting("('sold', 'coin', 1)")],
    [
      "ledger_postings_balance",
      `insert into ledger_postings (transaction_id, account, unit, amount)
       values (0, 'sold', 'coin', 1), (0, 'redeemed', 'coin', -1)`,
    ],
  ],
  sales: [
    ["sales_valid", "update sales set price_coins = 5"],
    ["sales_valid", "update sales set buyer_id = creator_id"],
    ["sales_valid", "update sales set tip_ids = tip_ids || tip_ids[1]"],
    ["sales_valid", "update sales set shares_hundredths[1] = shares_hundredths[1] + 1"],
    ["sales_valid", "update sales set shares_hundredths[1] = shares_hundredths[1] - 1"],
    [
      "sales_buyer_id_race_card_id_key",
      "update sales set (buyer_id, race_card_id) = (select buyer_id, race_card_id from sales order by id limit 1)",
    ],
    [
      "sales_transaction_id_key",
      "update sales set transaction_id = (select min(transaction_id) from sales)",
    ],
    ["sales_valid", "update sales set tip_ids = '{}', shares_hundredths = '{}'"],
    [
      "sales_race_card",
      `insert into sales (buyer_id, race_card_id, creator_id, price_coins, tip_ids, shares_hundredths, transaction_id, created_at)
       select buyer_id, new_id(), creator_id, price_coins, tip_ids, shares_hundredths,
         (select id from ledger_transactions where kind <> 'unlock' limit 1), now() from sales limit 1`,
    ],
    ["sales_append_only", "update sales set created_at = now()"],
    ["sales_append_only", "delete from sales"],
    ["sales_no_truncate", "truncate sales cascade"],
  ],
  earnings: [
    ["earnings_valid", "update earnings set amount_cents = 2799"],
    ["earnings_valid", "update earnings set amount_cents = 2801"],
    ["earnings_valid", "update earnings set held_at = now()"],
    ["earnings_valid", "update earnings set held_reason = 'dispute'"],
    ...[
      // Adds an earning to the payout, or removes one.
      `${EXPORTED}, status = 'processing'; update earnings e set payout_id = p.id from payouts p where p.creator_id = e.creator_id`,
      `update earnings e set payout_id = p.id from payouts p where p.creator_id = e.creator_id; ${EXPORTED}, status = 'processing'; update earnings set payout_id = null`,
    ].map((statement): [string, string] => ["earnings_exported_immutable", statement]),
    [
      "earnings_valid",
      "update earnings set held_at = now(), held_reason = 'dispute', payout_id = (select id from payouts limit 1)",
    ],
  ],
  earning_reversals: [
    ["earning_reversals_reason_check", "update earning_reversals set reason = 'mistake'"],
    [
      "earning_reversals_transaction_id_key",
      "update earning_reversals set transaction_id = (select min(transaction_id) from earning_reversals)",
    ],
    ["earning_reversals_append_only", "update earning_reversals set created_at = now()"],
    ["earning_reversals_append_only", "delete from earning_reversals"],
  ],
  payouts: [
    ["payouts_amount_cents_check", "update payouts set amount_cents = 9999"],
    ["payouts_status_check", "update payouts set status = 'cancelled'"],
    ["payouts_check", "update payouts set paid_at = now()"],
    ["payouts_check", `${PAID}, transaction_id = (select max(id) from ledger_transactions) ${ONE}`],
    [
      "payouts_check1",
      `update payouts set transaction_id = (select max(id) from ledger_transactions) ${ONE}`,
    ],
    ["payouts_check1", `${PAID}, paid_at = now()`],
    [
      "payouts_transaction_id_key",
      `${PAID}, paid_at = now(), transaction_id = (select max(id) from ledger_transactions)`,
    ],
    ["payouts_export_state", `${EXPORTED}, status = 'requested'`],
    ["payouts_export_state", `${EXPORTED}, status = 'stopped', stopped_at = now()`],
    [
      "payouts_export_state",
      `update payouts set status = 'paid', paid_at = now(), transaction_id = (select max(id) from ledger_transactions) ${ONE}`,
    ],
    ["payouts_stopped", "update payouts set stopped_at = now()"],
    ["payouts_stopped", "update payouts set status = 'stopped'"],
    ["payouts_removed_cents_check", "update payouts set removed_cents = -1"],
    [
      "payouts_exported_immutable",
      `${EXPORTED}, status = 'processing'; update payouts set amount_cents = amount_cents + 1`,
    ],
    [
      "payouts_exported_immutable",
      `${EXPORTED}, status = 'processing'; update payouts set creator_id = (select max(creator_id::text)::uuid from payouts) where creator_id <> (select max(creator_id::text)::uuid from payouts)`,
    ],
    [
      "payouts_exported_immutable",
      `${PAID}, paid_at = now(), transaction_id = (select max(id) from ledger_transactions) ${ONE}; update payouts set status = 'processing'`,
    ],
    [
      "payouts_exported_immutable",
      "update payouts set status = 'stopped', stopped_at = now(); update payouts set status = 'requested', stopped_at = null",
    ],
    [
      "payouts_open",
      "insert into payouts (creator_id, amount_cents, requested_at) select creator_id, 10000, now() from payouts",
    ],
    [
      "payouts_open",
      "insert into payouts (creator_id, amount_cents, status, requested_at) select creator_id, 10000, 'processing', now() from payouts",
    ],
    [
      "payouts_update_totals",
      raisesWhen(
        "payouts_update_totals",
        "update payouts set amount_cents = amount_cents + 1",
        "(select sum(cents) from payout_totals) = (select sum(amount_cents) from payouts)",
      ),
    ],
    [
      "payouts_update_totals",
      raisesWhen(
        "payouts_update_totals",
        "update payouts set status = 'stopped', stopped_at = now()",
        "(select coalesce(sum(cents), 0) from payout_totals) = 0",
      ),
    ],
  ],
  void_refunds: [
    [
      "void_refunds_transaction_id_key",
      "update void_refunds set transaction_id = (select min(id) from ledger_transactions)",
    ],
    ["void_refunds_append_only", "update void_refunds set created_at = now()"],
    ["void_refunds_append_only", "delete from void_refunds"],
    ["void_refunds_no_truncate", "truncate void_refunds"],
  ],
  payment_exports: [
    ["payment_exports_number_check", "update payment_exports set number = 0"],
    ["payment_exports_format_number_key", "update payment_exports set number = 1"],
    ["payment_exports_payments_check", "update payment_exports set payments = 0"],
    ["payment_exports_total_cents_check", "update payment_exports set total_cents = 0"],
    ["payment_exports_append_only", "update payment_exports set format = 'x'"],
    ["payment_exports_append_only", "delete from payment_exports"],
  ],
  payment_export_lines: [
    ["payment_export_lines_amount_cents_check", "update payment_export_lines set amount_cents = 0"],
    [
      "payment_export_lines_export_id_reference_key",
      "update payment_export_lines set reference = 'same'",
    ],
    ...[
      "amount_cents = amount_cents + 1",
      "reference = reference || 'x'",
      "account_ending = '9999'",
      "encrypted_details = 'another'",
      "creator_id = new_id()",
      "encrypted_details = null, amount_cents = amount_cents + 1",
    ].map((change): [string, string] => [
      "payment_export_lines_append_only",
      `update payment_export_lines set ${change}`,
    ]),
    ["payment_export_lines_append_only", "delete from payment_export_lines"],
  ],
  orders: [
    ["orders_coins_check", "update orders set coins = 0"],
    ["orders_amount_cents_check", "update orders set amount_cents = 0"],
    ["orders_currency_check", "update orders set currency = 'usd'"],
    ["orders_status_check", "update orders set status = 'refunded'"],
    ["orders_guest_outcome_check", "update orders set guest_outcome = 'lucky'"],
    ["orders_idempotency_key_key", "update orders set idempotency_key = 'same'"],
    ["orders_session_id_key", "update orders set session_id = 'same'"],
  ],
  coin_purchases: [
    ["coin_purchases_coins_check", "update coin_purchases set coins = 0"],
    ["coin_purchases_amount_cents_check", "update coin_purchases set amount_cents = 0"],
    ["coin_purchases_currency_check", "update coin_purchases set currency = 'usd'"],
    ["coin_purchases_welcome_coins_check", "update coin_purchases set welcome_coins = 8"],
    ["coin_purchases_check", "update coin_purchases set refunded_cents = amount_cents + 1"],
    ["coin_purchases_check", "update coin_purchases set refunded_cents = -1"],
    ["coin_purchases_check1", "update coin_purchases set recovered_coins = coins + 1"],
    ["coin_purchases_check1", "update coin_purchases set recovered_coins = -1"],
    ["coin_purchases_check2", "update coin_purchases set lost_cents = amount_cents + 1"],
    ["coin_purchases_check2", "update coin_purchases set lost_cents = -1"],
    ["coin_purchases_dispute_status_check", "update coin_purchases set dispute_status = 'settled'"],
    [
      "coin_purchases_order_id_key",
      `update coin_purchases set order_id = ${later("order_id from coin_purchases")}`,
    ],
    [
      "coin_purchases_stripe_session_id_key",
      "update coin_purchases set stripe_session_id = 'same'",
    ],
    [
      "coin_purchases_payment_intent_id_key",
      "update coin_purchases set payment_intent_id = 'same'",
    ],
    [
      "coin_purchases_transaction_id_key",
      `update coin_purchases set transaction_id = ${later("transaction_id from coin_purchases")}`,
    ],
  ],
  purchase_adjustments: [
    ["purchase_adjustments_kind_check", "update purchase_adjustments set kind = 'gift'"],
    ["purchase_adjustments_check", "update purchase_adjustments set coins = coins + 1"],
    ["purchase_adjustments_check", "update purchase_adjustments set owed_coins = owed_coins - 1"],
    [
      "purchase_adjustments_transaction_id_key",
      "update purchase_adjustments set transaction_id = (select min(id) from ledger_transactions)",
    ],
    ["purchase_adjustments_append_only", "update purchase_adjustments set created_at = now()"],
    ["purchase_adjustments_append_only", "delete from purchase_adjustments"],
  ],
  earning_restorations: [
    [
      "earning_restorations_transaction_id_key",
      "update earning_restorations set transaction_id = (select min(id) from ledger_transactions)",
    ],
    [
      "earning_restorations_reversal_transaction_id_key",
      "update earning_restorations set reversal_transaction_id = (select min(id) from ledger_transactions)",
    ],
    ["earning_restorations_append_only", "update earning_restorations set created_at = now()"],
    ["earning_restorations_append_only", "delete from earning_restorations"],
  ],
  guest_deals: [
    ["guest_deals_payer_hash_key", "update guest_deals set payer_hash = 'same'"],
    ["guest_deals_email_key", "update guest_deals set email = 'same@example.test'"],
    ["guest_deals_card_fingerprint_key", "update guest_deals set card_fingerprint = 'same'"],
  ],
  payment_reports: [
    ["payment_reports_charged_cents_check", "update payment_reports set charged_cents = 0"],
    ["payment_reports_lost_cents_check", "update payment_reports set lost_cents = -1"],
    ["payment_reports_refunded_cents_check", "update payment_reports set refunded_cents = -1"],
    [
      "payment_reports_dispute_status_check",
      "update payment_reports set dispute_status = 'settled'",
    ],
  ],
  stripe_events: [
    ["stripe_events_check", "update stripe_events set handled_at = now(), outcome = null"],
    ["stripe_events_check", "update stripe_events set outcome = 'credited', handled_at = null"],
  ],
  pending_registrations: [
    [
      "pending_registrations_email_check",
      "update pending_registrations set email = 'Guest@example.test'",
    ],
    [
      "pending_registrations_password_hash_check",
      "update pending_registrations set password_hash = 'plain'",
    ],
  ],
  race_cards: [
    [
      "race_cards_creator_id_venue_id_race_date_key",
      `insert into race_cards (creator_id, venue_id, race_date, published_at) select creator_id, venue_id, race_date, now() from race_cards limit 1`,
    ],
    ["race_cards_immutable", "update race_cards set race_date = race_date + 1"],
    ["race_cards_immutable", "delete from race_cards"],
    ["race_cards_no_truncate", "truncate race_cards cascade"],
    [
      "race_cards_add_offer",
      raisesWhen(
        "race_cards_add_offer",
        "insert into race_cards (creator_id, venue_id, race_date, published_at) select creator_id, venue_id, race_date + 30, now() from race_cards limit 1",
        "(select count(*) from race_cards) = (select count(*) from race_card_offers)",
      ),
    ],
  ],
  tips: [
    [
      "tips_race_number_check",
      "update tips set race_number = 13 where id = (select id from tips limit 1)",
    ],
    [
      "tips_race_number_check",
      "update tips set race_number = 0 where id = (select id from tips limit 1)",
    ],
    ["tips_horse_number_check", "update tips set horse_number = 31"],
    ["tips_horse_number_check", "update tips set horse_number = 0"],
    ["tips_horse_name_check", "update tips set horse_name = ' '"],
    ["tips_horse_name_check", "update tips set horse_name = repeat('x', 61)"],
    ["tips_tip_type_check", "update tips set tip_type = 'show'"],
    ["tips_confidence_check", "update tips set confidence = 'certain'"],
    ["tips_analysis_check", "update tips set analysis = ' '"],
    ["tips_analysis_check", "update tips set analysis = repeat('x', 4001)"],
    ["tips_result_check", "update tips set result = 'drawn', settled_at = now()"],
    ["tips_check", "update tips set result = 'won', settled_at = null"],
    ["tips_check", "update tips set result = null, settled_at = now()"],
    ["tips_check1", "update tips set deleted_at = now(), hidden_at = null"],
    ["tips_race_card_id_race_number_key", "update tips set race_number = 1"],
    ...[
      "race_number = 12 - race_number",
      "entered_off_at = now()",
      "horse_number = horse_number % 30 + 1",
      "horse_name = horse_name || 'x'",
      "tip_type = case tip_type when 'win' then 'place' else 'win' end",
      "confidence = case confidence when 'high' then 'low' else 'high' end",
      "analysis = analysis || 'x'",
      "tip_text = tip_text || 'x'",
      "is_late = not is_late",
      "published_at = published_at - interval '1 second'",
      "race_card_id = (select id from race_cards order by id desc limit 1)",
    ].map((change): [string, string] => [
      "tips_immutable",
      `update tips set ${change} where id = (select id from tips order by race_card_id limit 1)`,
    ]),
    ["tips_newest_sale_id_immutable", "update tips set newest_sale_id = newest_sale_id"],
    [
      "tips_insert_refresh_offers",
      raisesWhen(
        "tips_insert_refresh_offers",
        `insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence, analysis, tip_text, is_late, published_at)
         select race_card_id, 12, horse_number, horse_name, tip_type, confidence, analysis, tip_text, is_late, published_at from tips where race_number = 1`,
        "(select sum(cardinality(tip_ids)) from race_card_offers) = (select count(*) from tips)",
      ),
    ],
    ...["hidden_at = now()", "result = 'void', settled_at = now()"].map(
      (change): [string, string] => [
        "tips_update_refresh_offers",
        raisesWhen(
          "tips_update_refresh_offers",
          `update tips set ${change}`,
          "(select sum(cardinality(tip_ids)) from race_card_offers) = 0",
        ),
      ],
    ),
    ["tips_no_delete", "delete from tips"],
    ["tips_no_truncate", "truncate tips cascade"],
  ],
  batches: [
    [
      "batches_idempotency_key_check",
      "update batches set idempotency_key = 'seven77' where id = (select id from batches limit 1)",
    ],
    [
      "batches_idempotency_key_check",
      "update batches set idempotency_key = repeat('x', 101) where id = (select id from batches limit 1)",
    ],
    [
      "batches_creator_id_idempotency_key_key",
      "insert into batches (creator_id, idempotency_key, race_card_id, race_numbers, created_at) select creator_id, idempotency_key, race_card_id, race_numbers, now() from batches limit 1",
    ],
  ],
  result_entries: [
    ["result_entries_result_check", "update result_entries set result = 'drawn'"],
    ["result_entries_append_only", "update result_entries set reason = 'x'"],
    ["result_entries_append_only", "delete from result_entries"],
  ],
  void_race_cards: [
    ["void_race_cards_append_only", "update void_race_cards set voided_at = now()"],
    ["void_race_cards_append_only", "delete from void_race_cards"],
  ],
  creator_records: [
    ["creator_records_check", "update creator_records set settled = tips + 1"],
    ["creator_records_check1", "update creator_records set won = settled + 1"],
  ],
  races: [
    ["races_race_number_check", "update races set race_number = 13 where race_number = 1"],
    [
      "races_insert_apply_off_times",
      raisesWhen(
        "races_insert_apply_off_times",
        "insert into races select race_day_id, 12, off_at from races where race_number = 1",
        UNTALLIED,
      ),
    ],
    [
      "races_update_apply_off_times",
      raisesWhen(
        "races_update_apply_off_times",
        "update races set off_at = off_at + interval '1 minute'",
        UNTALLIED,
      ),
    ],
    [
      "races_delete_apply_off_times",
      raisesWhen(
        "races_delete_apply_off_times",
        "delete from races where race_number = 1",
        UNTALLIED,
      ),
    ],
  ],
  audit_entries: [
    ["audit_entries_append_only", "update audit_entries set action = 'x'"],
    ["audit_entries_append_only", "delete from audit_entries"],
    ["audit_entries_no_truncate", "truncate audit_entries"],
  ],
  sessions: [
    ["sessions_token_key", session("'same'", "(select id from users order by id limit 1)", 2)],
    ["sessions_require_code", session("'new'", "(select user_id from two_step_keys)", 1)],
  ],
  credentials: [
    ["credentials_password_check", "update credentials set password = 'plain'"],
    [
      "credentials_user_id_provider_id_key",
      "insert into credentials (account_id, provider_id, user_id, created_at, updated_at) select account_id, provider_id, user_id, now(), now() from credentials",
    ],
  ],
  two_step_keys: [
    [
      "two_step_keys_encrypted_key_check",
      "update two_step_keys set encrypted_key = 'JBSWY3DPEHPK3PXP'",
    ],
  ],
};

export const GUARD_CASES: GuardCase[] = Object.entries(CASES).flatMap(([table, cases]) =>
  cases.map(([guard, statement]) => ({ table, guard, statement })),
);

/** Returns true when this guard raised the database error. */
export function isRefusalOf({ guard, table }: GuardCase, error: unknown): boolean {
  const {
    code,
    constraint,
    message = "",
  } = (error ?? {}) as {
    code?: string;
    constraint?: string;
    message?: string;
  };
  if (constraint !== undefined) return constraint === guard;
  if (guard === "tips_immutable")
    return /^(a published tip does not change|lateness follows the reported off time)$/.test(
      message,
    );
  if (guard === "payouts_exported_immutable")
    return /^payout \S+ (has been exported|is (paid|stopped)) and cannot change$/.test(message);
  if (guard === "earnings_exported_immutable")
    return message === "the earnings of an exported payout cannot change";
  if (guard === "race_cards_immutable") return message.startsWith("a race card keeps");
  const operation = guard.endsWith("_no_truncate") ? "truncate" : "(update|delete)";
  return code === "23001" && new RegExp(`^${table} is append-only: ${operation} `).test(message);
}

/** Inserts at least two rows into every guarded table, so that each statement affects some. */
export async function makeGuardedRows(): Promise<void> {
  const tomorrow = addDays(dateAt(now()), 1);
  const creators = [await makeTipster(), await makeTipster()];
  const buyers = [await makeUser({ coins: 20 }), await makeUser({ coins: 20 })];
  for (const creator of creators) {
    const card = await publishRaceCard({
      creatorId: creator.id,
      raceDate: tomorrow,
      races: [1, 2],
    });
    await reportOffTimes(card.venue.id, tomorrow, { races: 2 });
    for (const buyer of buyers) await unlockRaceCardAs(buyer.id, card);
  }
  for (const { id } of buyers)
    await makeDemoPurchase({ userId: id, packageId: "value_8", at: now() });
  await pool().query(`
    insert into payouts (creator_id, amount_cents, requested_at)
      select user_id, 10000, now() from creators;
    insert into payment_exports (created_at, format, number, payments, total_cents)
      select now(), 'test', n, 2, 20000 from generate_series(1, 2) n;
    insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference,
        encrypted_details, account_ending)
      select (select id from payment_exports order by id limit 1), id, creator_id, amount_cents,
        id::text, 'v1.encrypted', '1234' from payouts;
    insert into ledger_transactions (kind, reference, created_at)
      select 'reversal', 'sale:' || id, now() from sales;
    insert into earning_reversals (sale_id, reason, transaction_id, created_at)
      select s.id, 'review', t.id, now() from sales s
      join ledger_transactions t on t.kind = 'reversal' and t.reference = 'sale:' || s.id;
    insert into purchase_adjustments (purchase_id, transaction_id, kind, cents, coins, wallet_coins,
        sale_coins, owed_coins, welcome_wallet_coins, welcome_sale_coins, created_at)
      select id, transaction_id, 'refund', 100, 1, 1, 0, 0, 0, 0, now() from coin_purchases;
    insert into earning_restorations (sale_id, purchase_id, reversal_transaction_id, reversed_xid,
        transaction_id, created_at)
      select r.sale_id, p.id, r.transaction_id, pg_current_xact_id(), s.transaction_id, now()
      from (select * from coin_purchases limit 1) p, sales s
      join earning_reversals r on r.sale_id = s.id order by s.id limit 2;
    insert into void_refunds (sale_id, transaction_id, created_at)
      select id, transaction_id, now() from sales;
    insert into guest_deals (order_id, email, card_fingerprint, created_at)
      select id, id || '@example.test', id, now() from orders;
    insert into pending_registrations (order_id, email, name, agreed_at)
      select id, 'guest@example.test', 'Guest', now() from orders;
    insert into payment_reports (payment_intent_id, updated_at) values ('pi_guard', now())
      on conflict do nothing;
    insert into stripe_events (id, type, received_at) values ('evt_guard', 'test', now());
    update tips set result = 'won', settled_at = now();
    insert into result_entries (tip_id, result, actor_id, created_at)
      select t.id, 'won', c.creator_id, now() from tips t join race_cards c on c.id = t.race_card_id;
    insert into void_race_cards select id, now() from race_cards;
    insert into credentials (account_id, provider_id, user_id, created_at, updated_at)
      select id, 'credential', id, now(), now() from users limit 1
      on conflict do nothing;
    insert into two_step_keys (user_id, encrypted_key, last_step, created_at)
      select id, 'v1.encrypted', 0, now() from users order by id desc limit 1;
    insert into audit_entries (action, subject, created_at) values ('guard', '${randomUUID()}', now());
    update creator_records set is_tallied = true;`);
}

/** Returns a statement that posts one new ledger transaction. */
function posting(rows: string): string {
  return `with made as (insert into ledger_transactions (kind, reference, created_at)
      values ('grant', 'guard', now()) returning id)
    insert into ledger_postings (transaction_id, account, unit, amount)
      select made.id, v.* from made, (values ${rows}) v`;
}

/** Returns a statement that fails with the name of the guard when the guard took effect. */
function raisesWhen(guard: string, statement: string, condition: string): string {
  return `do $$ begin ${statement}; if ${condition} then
    raise exception 'it works' using errcode = 'check_violation', constraint = '${guard}';
  end if; end $$`;
}

function session(token: string, user: string, count: number): string {
  return `insert into sessions (token, user_id, expires_at, created_at, updated_at)
    select ${token}, ${user}, now(), now(), now() from generate_series(1, ${count})`;
}
