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
  "prices",
  "earnings",
  "earning_reversals",
  "payouts",
  "payment_exports",
  "payment_export_lines",
  "late_holds",
  "payout_transfers",
  "coin_returns",
  "coin_return_notices",
  "orders",
  "payment_attempts",
  "coin_purchases",
  "purchase_adjustments",
  "earning_restorations",
  "guest_deals",
  "payment_reports",
  "payment_events",
  "pending_registrations",
  "race_cards",
  "tips",
  "batches",
  "result_entries",
  "tip_results",
  "tip_settlements",
  "void_race_cards",
  "race_card_notes",
  "creator_records",
  "races",
  "race_results",
  "result_runners",
  "audit_entries",
  "sessions",
  "credentials",
  "two_step_keys",
  "user_roles",
  "admin_invitations",
];

const newPrice = (subject: string, value: number, validFrom = "now() + interval '1 day'") =>
  `insert into prices (subject, valid_from, value, created_at) values ('${subject}', ${validFrom}, ${value}, now())`;

const later = (row: string) => `(select ${row} order by 1 desc limit 1)`;

const STALE_FIGURES = "exists (select from stale_figures)";
const UNTALLIED = "exists (select from creator_records where tips > 0 and not is_tallied)";

const ONE = "where id = (select id from payouts limit 1)";
const PAID = "update payouts set status = 'paid', is_paid_unrecorded = true";
const EXPORTED_IN_TRANSFER =
  "update payouts set export_id = (select l.export_id from payment_export_lines l where l.payout_id = payouts.id)";
const EXPORTED = `update payout_transfers set status = 'failed'; ${EXPORTED_IN_TRANSFER}`;

const CONFIRMED = "confirmed_by = (select id from users limit 1), confirmed_at = now()";
const WITH_CONFIRMED_RESULTS = `update race_results set ${CONFIRMED}`;
const INSERT_RESULT = `insert into race_results (race_day_id, race_number, version, id, status, places_paid, source, via,
    entered_at, reason, confirmed_by, confirmed_at)
  select race_day_id, race_number, 2,`;

const WITHOUT_REVERSALS =
  "alter table earning_reversals disable trigger user; delete from earning_reversals";
const TRANSFER = "update payout_transfers";
const IN_PAYOUT = "update earnings set payout_id = (select id from payouts limit 1)";

/** The statement that each guard must refuse, by table. `raisesWhen` tests triggers that do not refuse. */
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
    ["sales_earning", "update sales set earning_cents = price_cents + 1"],
    ["sales_earning", "update sales set earning_cents = 0"],
    ["sales_append_only", "update sales set created_at = now()"],
    ["sales_append_only", "delete from sales"],
    ["sales_no_truncate", "truncate sales cascade"],
  ],
  prices: [
    ["prices_value", newPrice("creator-share", 101)],
    ["prices_value", newPrice("creator-share", 0)],
    ["prices_value", newPrice("starter_4", 4050)],
    ["prices_value", newPrice("starter_4", 0)],
    ["prices_future", newPrice("starter_4", 4400, "now()")],
    ["prices_append_only", "update prices set value = 4400"],
    ["prices_append_only", "delete from prices"],
    ["prices_no_truncate", "truncate prices"],
  ],
  earnings: [
    ["earnings_valid", "update earnings set amount_cents = 0"],
    ["earnings_lacking_coins_check", "update earnings set lacking_coins = 5"],
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
    ["earnings_fixed_amount", "update earnings set amount_cents = 2100"],
    ...[
      "update earnings set amount_cents = 2100",
      "update earnings set payout_id = null, amount_cents = 2100",
    ].map((statement): [string, string] => [
      "earnings_fixed_amount",
      `${WITHOUT_REVERSALS}; ${IN_PAYOUT}; ${statement}`,
    ]),
    ["earnings_fixed_amount", `${WITHOUT_REVERSALS}; ${IN_PAYOUT}, amount_cents = 2100`],
  ],
  earning_reversals: [
    ["earning_reversals_amount_cents_check", "update earning_reversals set amount_cents = 0"],
    ["earning_reversals_reason_check", "update earning_reversals set reason = 'mistake'"],
    [
      "earning_reversals_transaction_id_key",
      "update earning_reversals set transaction_id = (select min(transaction_id) from earning_reversals)",
    ],
    ["earning_reversals_append_only", "update earning_reversals set created_at = now()"],
    ["earning_reversals_append_only", "delete from earning_reversals"],
  ],
  payout_transfers: [
    ["payout_transfers_status_check", `${TRANSFER} set status = 'sent' where status = 'pending'`],
    ["payout_transfers_sent", `${TRANSFER} set sent_at = now()`],
    ["payout_transfers_protected", "delete from payout_transfers"],
    ["payout_transfers_protected", `${TRANSFER} set reference = new_id()`],
    ["payout_transfers_protected", `${TRANSFER} set created_at = now() - interval '1 day'`],
    ["payout_transfers_protected", `${TRANSFER} set status = 'returned'`],
    [
      "payout_transfers_protected",
      `${TRANSFER} set status = 'paid'; ${TRANSFER} set status = 'failed'`,
    ],
    [
      "payout_transfers_protected",
      `${TRANSFER} set status = 'paid'; ${TRANSFER} set status = 'pending'`,
    ],
    [
      "payout_transfers_protected",
      `${TRANSFER} set status = 'failed'; ${TRANSFER} set status = 'pending'`,
    ],
    [
      "payout_transfers_protected",
      `${TRANSFER} set sent_at = now(), recipient_code = 'A'; ${TRANSFER} set recipient_code = 'B'`,
    ],
    [
      "payout_transfers_export_id_payout_id_key",
      "insert into payout_transfers (export_id, payout_id, status, created_at, changed_at) select export_id, payout_id, 'failed', now(), now() from payout_transfers",
    ],
    [
      "payout_transfers_pending",
      `with export as (insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
         select (select max(id::text)::uuid from payment_exports), payout_id, creator_id, amount_cents, 'second ' || reference
         from payment_export_lines returning export_id, payout_id)
       select 1 from export;
       insert into payout_transfers (export_id, payout_id, created_at, changed_at)
         select (select max(id::text)::uuid from payment_exports), payout_id, now(), now() from payout_transfers`,
    ],
  ],
  payouts: [
    ["payouts_amount_cents_check", "update payouts set amount_cents = 9999"],
    ["payouts_amount_cents_check", "update payouts set is_final = true, amount_cents = 0"],
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
    ["payouts_exported_immutable", `${EXPORTED_IN_TRANSFER}, status = 'processing'`],
    [
      "payouts_exported_immutable",
      `${PAID}, paid_at = now(), transaction_id = (select max(id) from ledger_transactions) where id in (select payout_id from payout_transfers)`,
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
  coin_returns: [
    ["coin_returns_step_check", "update coin_returns set step = 0"],
    ["coin_returns_coins_check", "update coin_returns set coins = -1"],
    ["coin_returns_check", "update coin_returns set total_coins = coins - 1"],
    ["coin_returns_check", "update coin_returns set total_coins = 5"],
    [
      "coin_returns_transaction_id_key",
      "update coin_returns set transaction_id = (select min(id) from ledger_transactions)",
    ],
    ...[
      "2, 1, 3, 0",
      "1, 1, 2, 0",
      "3, 1, 2, 0",
      "2, 0, 0, 0",
      "2, 1, 2, 2800",
      "2, 1, 2, -2800",
    ].map((values): [string, string] => [
      "coin_returns_continue",
      `insert into coin_returns (sale_id, step, coins, total_coins, reduced_cents, tip_ids, transaction_id,
         created_at)
       select sale_id, ${values}, '{}', transaction_id, now() from coin_returns limit 1`,
    ]),
    ["coin_returns_append_only", "update coin_returns set created_at = now()"],
    ["coin_returns_append_only", "delete from coin_returns"],
    ["coin_returns_no_truncate", "truncate coin_returns cascade"],
  ],
  coin_return_notices: [
    [
      "coin_return_notices_coins_check",
      "update coin_return_notices set coins = 0, repaid_coins = 0",
    ],
    ["coin_return_notices_check", "update coin_return_notices set repaid_coins = coins + 1"],
    ["coin_return_notices_check", "update coin_return_notices set repaid_coins = -1"],
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
      "account_last4 = '9999'",
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
    ["orders_session_id_provider_key", "update orders set session_id = 'same'"],
  ],
  payment_attempts: [
    ["payment_attempts_number_check", "update payment_attempts set number = 0"],
    [
      "payment_attempts_state_check",
      "update payment_attempts set state = 'paid', session_id = null",
    ],
    ["payment_attempts_check", "update payment_attempts set state = 'open', session_id = null"],
    ["payment_attempts_check", "update payment_attempts set state = 'none', session_id = 'same'"],
    ["payment_attempts_session_id_provider_key", "update payment_attempts set session_id = 'same'"],
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
    [
      "coin_purchases_welcome",
      "update coin_purchases set recovered_welcome_coins = welcome_coins + 1",
    ],
    ["coin_purchases_check2", "update coin_purchases set lost_cents = amount_cents + 1"],
    ["coin_purchases_check2", "update coin_purchases set lost_cents = -1"],
    ["coin_purchases_dispute_status_check", "update coin_purchases set dispute_status = 'settled'"],
    [
      "coin_purchases_order_id_key",
      `update coin_purchases set order_id = ${later("order_id from coin_purchases")}`,
    ],
    ["coin_purchases_session_id_provider_key", "update coin_purchases set session_id = 'same'"],
    ["coin_purchases_payment_id_provider_key", "update coin_purchases set payment_id = 'same'"],
    [
      "coin_purchases_transaction_id_key",
      `update coin_purchases set transaction_id = ${later("transaction_id from coin_purchases")}`,
    ],
  ],
  purchase_adjustments: [
    ["purchase_adjustments_kind_check", "update purchase_adjustments set kind = 'gift'"],
    [
      "purchase_adjustments_transaction_id_key",
      "update purchase_adjustments set transaction_id = (select min(id) from ledger_transactions)",
    ],
    ["purchase_adjustments_append_only", "update purchase_adjustments set created_at = now()"],
    ["purchase_adjustments_append_only", "delete from purchase_adjustments"],
  ],
  earning_restorations: [
    ["earning_restorations_amount_cents_check", "update earning_restorations set amount_cents = 0"],
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
  payment_events: [
    ["payment_events_check", "update payment_events set handled_at = now(), outcome = null"],
    ["payment_events_check", "update payment_events set outcome = 'credited', handled_at = null"],
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
      "tips_mark_figures",
      raisesWhen("tips_mark_figures", "update tips set settlement_version = 1", STALE_FIGURES),
    ],
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
    [
      "tips_declared_runner",
      `with race as (
         insert into races (race_day_id, race_number, off_at)
         select id, 12, reported_at from race_days returning race_day_id, race_number
       ), runner as (
         insert into runners (race_day_id, race_number, number, horse_name, source, reported_at)
         select race_day_id, race_number, 30, 'Declared', 'test', now() from race
       )
       insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence, analysis, tip_text, is_late, published_at)
       select race_card_id, 12, 30, 'Undeclared', tip_type, confidence, analysis, tip_text, is_late, published_at from tips where race_number = 1`,
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
    ["tips_claimed_result_check", "update tips set claimed_result = 'void'"],
    ["tips_claim", "update tips set is_claim = true, claimed_result = 'lost'"],
    [
      "tips_race_without_result",
      `with race as (
         insert into races (race_day_id, race_number, off_at)
         select id, 12, reported_at from race_days returning race_day_id, race_number
       ), official as (
         insert into race_results (race_day_id, race_number, version, status, places_paid, source, via, entered_at,
           confirmed_by, confirmed_at)
         select race_day_id, race_number, 1, 'abandoned', 0, 'test', 'feed', now(),
           (select id from users where id not in (select user_id from creators) limit 1), now() from race
       )
       insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence, analysis, tip_text, is_late, published_at)
       select race_card_id, 12, horse_number, horse_name, tip_type, confidence, analysis, tip_text, is_late, published_at from tips where race_number = 1`,
    ],
    [
      "tips_result_author",
      "update tips set settled_by = c.creator_id from race_cards c where c.id = tips.race_card_id",
    ],
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
  tip_results: [
    ...[
      ["valid", "result = 'drawn'"],
      ["valid", "result = 'won', tip_id = null"],
      ["confirmation", "confirmed_at = now()"],
      ["two_people", "confirmed_by = entered_by, confirmed_at = now()"],
    ].map(([guard, change]): [string, string] => [
      `tip_results_${guard}`,
      `update tip_results set ${change}`,
    ]),
    [
      "tip_results_unconfirmed",
      `insert into tip_results (race_card_id, tip_id, result, reason, entered_by, entered_at)
       select race_card_id, tip_id, result, reason, entered_by, now() from tip_results`,
    ],
    ["tip_results_immutable", "update tip_results set reason = 'y'"],
    [
      "tip_results_immutable",
      `update tip_results set confirmed_by = (select id from users where id <> tip_results.entered_by
         and id not in (select user_id from creators) limit 1), confirmed_at = now();
       delete from tip_results`,
    ],
    [
      "tip_results_people",
      `insert into tip_results (race_card_id, result, reason, entered_by, entered_at)
       select id, 'void', 'x', creator_id, now() from race_cards`,
    ],
    ["tip_results_no_truncate", "truncate tip_results"],
  ],
  tip_settlements: [
    ...[
      ["rules_check", "rules = ''"],
      ["outcome_check", "outcome = 'drawn'"],
      [
        "void_reason_check",
        "outcome = 'void', void_reason = 'rain', win_stake_cents = null, win_starting_price_return_cents = null",
      ],
      ["position_check", "position = 31"],
      ["dead_heat_count_check", "dead_heat_count = 0"],
      ["win_stake_cents_check", "win_stake_cents = 0"],
      ["win_starting_price_return_cents_check", "win_starting_price_return_cents = -1"],
      ["win_tote_return_cents_check", "win_tote_return_cents = -1"],
      ["place_stake_cents_check", "place_stake_cents = 0"],
      ["place_tote_return_cents_check", "place_stake_cents = 500, place_tote_return_cents = -1"],
      ["void", "void_reason = 'abandoned'"],
      ["stake", "win_stake_cents = null, win_starting_price_return_cents = null"],
      ["win", "win_stake_cents = null, place_stake_cents = 500"],
      ["place", "place_tote_return_cents = 100"],
      ["runner_number_check", "runner_number = 31"],
      ["expected_win_check", "expected_win = 0, favourite_return_cents = 0"],
      ["favourite_return_cents_check", "expected_win = 0.1, favourite_return_cents = -1"],
      ["prices", "expected_win = 0.1"],
      [
        "prices",
        "expected_win = 0.1, favourite_return_cents = 0, win_stake_cents = null, win_starting_price_return_cents = null, place_stake_cents = 500",
      ],
    ].map(([guard, change]): [string, string] => [
      `tip_settlements_${guard}`,
      `update tip_settlements set ${change}`,
    ]),
    ["tip_settlements_append_only", "update tip_settlements set rules = 'x'"],
    ["tip_settlements_append_only", "delete from tip_settlements"],
    ["tip_settlements_no_truncate", "truncate tip_settlements cascade"],
  ],
  race_results: [
    ...[
      ["version_check", "version = 0, reason = 'x'"],
      ["status_check", "status = 'declared', starters = null, places_paid = 0"],
      ["starters_check", "starters = 31"],
      ["places_paid_check", "places_paid = 7"],
      ["source_check", "source = ' '"],
      ["source_url_check", "source_url = 'ftp://nha.example'"],
      ["via_check", "via = 'post'"],
      ["surface_check", "surface = 'dirt'"],
      ["source_known", "via = 'form'"],
      ["confirmation", "confirmed_at = now()"],
      ["two_people", `via = 'form', entered_by = (select id from users limit 1), ${CONFIRMED}`],
      ["unofficial", `status = 'unofficial', ${CONFIRMED}`],
      ["reason", "version = 2"],
      ["run", "starters = null, places_paid = 0"],
      ["off", "off_at = null"],
      ["places", "status = 'void', starters = null"],
      [
        "entered_names",
        "status = 'void', starters = null, places_paid = 0, has_entered_names = true",
      ],
    ].map(([guard, change]): [string, string] => [
      `race_results_${guard}`,
      `update race_results set ${change}`,
    ]),
    [
      "race_results_unconfirmed",
      `${INSERT_RESULT} new_id(), 'void', 0, 'test', 'feed', now(), 'x', null, null from race_results`,
    ],
    [
      "race_results_id_key",
      `${INSERT_RESULT} id, 'void', 0, 'test', 'feed', now(), 'x', (select id from users limit 1), now()
       from race_results`,
    ],
    ["race_results_immutable", "update race_results set source = 'x'"],
    ["race_results_immutable", `${WITH_CONFIRMED_RESULTS}; update race_results set source = 'x'`],
    [
      "race_results_people",
      `insert into race_results (race_day_id, race_number, version, status, places_paid, source, via, entered_by, entered_at)
       select d.id, 1, 1, 'void', 0, 'test', 'form', c.creator_id, now()
       from race_cards c join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date limit 1`,
    ],
    ["race_results_no_truncate", "truncate race_results cascade"],
  ],
  result_runners: [
    ...[
      ["number_check", "number = 31"],
      ["horse_name_check", "horse_name = ' '"],
      ["outcome_check", "outcome = 'won'"],
      ["position_check", "position = 31"],
      ["starting_price_numerator_check", "starting_price_numerator = 0"],
      ["starting_price_denominator_check", "starting_price_denominator = 0"],
      ["win_dividend_cents_check", "win_dividend_cents = 0"],
      ["place_dividend_cents_check", "place_dividend_cents = 0"],
      ["position", "outcome = 'did-not-finish'"],
      ["price", "starting_price_denominator = null"],
      ["non_runner", "outcome = 'non-runner', position = null"],
    ].map(([guard, change]): [string, string] => [
      `result_runners_${guard}`,
      `update result_runners set ${change}`,
    ]),
    ["result_runners_append_only", "update result_runners set horse_name = 'Sea Mist'"],
    ["result_runners_unconfirmed", `${WITH_CONFIRMED_RESULTS}; delete from result_runners`],
    ["result_runners_no_truncate", "truncate result_runners"],
  ],
  void_race_cards: [
    ["void_race_cards_append_only", "update void_race_cards set voided_at = now()"],
    ["void_race_cards_append_only", "delete from void_race_cards"],
  ],
  race_card_notes: [
    ["race_card_notes_append_only", "update race_card_notes set body = 'x'"],
    ["race_card_notes_append_only", "delete from race_card_notes"],
    ["race_card_notes_no_truncate", "truncate race_card_notes"],
    [
      "race_card_notes_key",
      "insert into race_card_notes (race_card_id, idempotency_key, body, created_at) select id, 'short', 'x', now() from race_cards",
    ],
    [
      "race_card_notes_body",
      "insert into race_card_notes (race_card_id, idempotency_key, body, created_at) select id, 'another key', repeat('x', 501), now() from race_cards",
    ],
    [
      "race_card_notes_body",
      "insert into race_card_notes (race_card_id, idempotency_key, body, created_at) select id, 'another key', ' ', now() from race_cards",
    ],
    [
      "race_card_notes_once",
      "insert into race_card_notes (race_card_id, idempotency_key, body, created_at) select race_card_id, idempotency_key, 'x', now() from race_card_notes",
    ],
  ],
  creator_records: [
    ["creator_records_check", "update creator_records set settled = tips + 1"],
    ["creator_records_check1", "update creator_records set won = settled + 1"],
  ],
  races: [
    [
      "races_mark_figures",
      raisesWhen(
        "races_mark_figures",
        "update tips set settlement_version = 1; delete from stale_figures; update races set surface = 'sand'",
        STALE_FIGURES,
      ),
    ],
    ["races_race_number_check", "update races set race_number = 13 where race_number = 1"],
    ["races_name_check", "update races set name = ' '"],
    ["races_distance_metres_check", "update races set distance_metres = 399"],
    ["races_surface_check", "update races set surface = 'grass'"],
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
  user_roles: [
    ["user_roles_role_check", "update user_roles set role = 'owner'"],
    ["user_roles_keep_last_admin", "delete from user_roles where role = 'admin'"],
    ["user_roles_keep_last_admin", "update user_roles set role = 'tipster' where role = 'admin'"],
  ],
  admin_invitations: [
    ["admin_invitations_email_check", "update admin_invitations set email = 'Upper@Example.test'"],
    ["admin_invitations_token_hash_key", "update admin_invitations set token_hash = 'same'"],
    ["admin_invitations_check", "update admin_invitations set accepted_at = null"],
    ["admin_invitations_open", "update admin_invitations set email = 'same@example.test'"],
    [
      "admin_invitations_accepted",
      "update admin_invitations set accepted_at = now(), accepted_by = (select id from users limit 1)",
    ],
    [
      "admin_invitations_not_suspended",
      "insert into admin_invitations (email, token_hash, invited_by, invited_at, expires_at, accepted_at, accepted_by) select 'new@example.test', 'new', user_id, now(), now(), now(), user_id from creators where suspended_at is not null",
    ],
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
    [
      "two_step_keys_of_invited_admins",
      raisesWhen(
        "two_step_keys_of_invited_admins",
        "delete from two_step_keys",
        "not exists (select from user_roles where role = 'admin' and user_id in (select accepted_by from admin_invitations))",
      ),
    ],
  ],
};

export const GUARD_CASES: GuardCase[] = Object.entries(CASES).flatMap(([table, cases]) =>
  cases.map(([guard, statement]) => ({ table, guard, statement })),
);

/** Returns true when this guard raised the database error. */
export function isRaisedByGuard({ guard, table }: GuardCase, error: unknown): boolean {
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
    return /^(a published tip cannot change|is_late must match the known off time)$/.test(message);
  if (guard === "payout_transfers_protected")
    return message.startsWith("this change of a transfer is refused: ");
  if (guard === "payouts_exported_immutable")
    return /^payout \S+ (has been exported|is (paid|stopped|being transferred)) and cannot change$/.test(
      message,
    );
  if (guard === "earnings_exported_immutable")
    return message === "the earnings of an exported payout cannot change";
  if (guard === "earnings_fixed_amount")
    return message === "the amount of an earning in a payout or reversed cannot change";
  if (guard === "race_results_immutable" || guard === "tip_results_immutable")
    return /^(a confirmed result cannot change|a result can change only when)/.test(message);
  if (guard === "race_results_people" || guard === "tip_results_people")
    return message === "a result must be entered and confirmed by admins without tips in the race";
  if (guard === "tips_result_author")
    return message === "the result of a tip must be confirmed before it is set";
  if (guard === "result_runners_unconfirmed")
    return message === "the runners of a confirmed result cannot change";
  if (guard === "race_cards_immutable")
    return message === "the creator, venue and date of a race card cannot change";
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
    await makeDemoPurchase({ userId: id, coinPackId: "value_8", at: now() });
  await pool().query(`
    insert into payouts (creator_id, amount_cents, requested_at)
      select user_id, 10000, now() from creators;
    insert into payment_exports (created_at, format, number, payments, total_cents)
      select now(), 'test', n, 2, 20000 from generate_series(1, 2) n;
    insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference,
        encrypted_details, account_last4)
      select (select id from payment_exports order by id limit 1), id, creator_id, amount_cents,
        id::text, 'v1.encrypted', '1234' from payouts;
    insert into payout_transfers (export_id, payout_id, created_at, changed_at)
      select export_id, payout_id, now(), now() from payment_export_lines;
    insert into ledger_transactions (kind, reference, created_at)
      select 'reversal', 'sale:' || id, now() from sales;
    insert into earning_reversals (sale_id, amount_cents, reason, transaction_id, created_at)
      select s.id, 2800, 'review', t.id, now() from sales s
      join ledger_transactions t on t.kind = 'reversal' and t.reference = 'sale:' || s.id;
    insert into purchase_adjustments (purchase_id, transaction_id, kind, cents, coins, welcome_coins,
        created_at)
      select id, transaction_id, 'refund', 100, 1, 0, now() from coin_purchases;
    insert into earning_restorations (sale_id, amount_cents, purchase_id, reversal_transaction_id,
        reversed_xid, transaction_id, created_at)
      select r.sale_id, 2800, p.id, r.transaction_id, pg_current_xact_id(), s.transaction_id, now()
      from (select * from coin_purchases limit 1) p, sales s
      join earning_reversals r on r.sale_id = s.id order by s.id limit 2;
    insert into coin_returns (sale_id, step, coins, total_coins, reduced_cents, tip_ids, transaction_id,
        created_at)
      select id, 1, 1, 1, 0, tip_ids, transaction_id, now() from sales;
    insert into coin_return_notices (transaction_id, buyer_id, race_card_id, venue_id, race_date, coins,
        repaid_coins, created_at)
      select s.transaction_id, s.buyer_id, c.id, c.venue_id, c.race_date, 1, 0, now()
      from sales s join race_cards c on c.id = s.race_card_id;
    insert into guest_deals (order_id, email, card_fingerprint, created_at)
      select id, id || '@example.test', id, now() from orders;
    insert into pending_registrations (order_id, email, name, agreed_at)
      select id, 'guest@example.test', 'Guest', now() from orders;
    insert into payment_reports (provider, payment_id, updated_at) values ('stripe', 'pi_guard', now())
      on conflict do nothing;
    insert into payment_events (provider, id, type, received_at)
      values ('stripe', 'evt_guard', 'test', now());
    insert into payment_attempts (order_id, number, provider, state, session_id, expires_at, created_at)
      select id, 9, 'stripe', 'open', 'guard:' || id, now(), now() from orders;
    update tips set result = 'won', settled_at = now();
    insert into result_entries (tip_id, result, actor_id, created_at)
      select t.id, 'won', c.creator_id, now() from tips t join race_cards c on c.id = t.race_card_id;
    insert into tip_results (race_card_id, tip_id, result, reason, entered_by, entered_at)
      select t.race_card_id, t.id, 'void', 'x', (select user_id from wallets
        where user_id not in (select user_id from creators) limit 1), now() from tips t;
    insert into race_days (venue_id, race_date, source, reported_at)
      select venue_id, '2099-01-01', 'test', now() from race_cards limit 1;
    insert into races (race_day_id, race_number, off_at)
      select id, n, now() from race_days, generate_series(3, 4) n where race_date = '2099-01-01';
    insert into race_results (race_day_id, race_number, version, status, off_at, starters, places_paid, source,
        via, entered_at)
      select race_day_id, race_number, 1, 'official', off_at, 8, 3, 'test', 'feed', now()
      from races r join race_days d on d.id = r.race_day_id where d.race_date = '2099-01-01';
    insert into tip_settlements (tip_id, race_day_id, race_number, version, rules, outcome, position,
        dead_heat_count, win_stake_cents, win_starting_price_return_cents, settled_at)
      select t.id, r.race_day_id, r.race_number, 1, 'test', 'won', 1, 1, 1000, 6000, now()
      from tips t, race_results r where r.race_number = 3;
    insert into result_runners (race_day_id, race_number, version, number, horse_name, outcome, position,
        starting_price_numerator, starting_price_denominator, win_dividend_cents, place_dividend_cents)
      select race_day_id, race_number, 1, 1, 'Harbour Light', 'finished', 1, 5, 1, 640, 190 from race_results;
    insert into void_race_cards select id, now() from race_cards;
    insert into race_card_notes (race_card_id, idempotency_key, body, created_at)
      select id, 'a guard key', 'Drawn well', now() from race_cards;
    insert into credentials (account_id, provider_id, user_id, created_at, updated_at)
      select id, 'credential', id, now(), now() from users limit 1
      on conflict do nothing;
    insert into two_step_keys (user_id, encrypted_key, last_step, created_at)
      select id, 'v1.encrypted', 0, now() from users order by id desc limit 1;
    insert into user_roles (user_id, role, granted_at)
      select id, 'admin', now() from users order by id desc limit 2;
    insert into admin_invitations
        (email, token_hash, invited_by, invited_at, expires_at, accepted_at, accepted_by)
      select u.email, u.id, u.id, now(), now(), now(), u.id from users u order by u.id desc limit 1;
    insert into admin_invitations (email, token_hash, invited_by, invited_at, expires_at)
      select n || '@example.test', n, (select id from users limit 1), now(), now()
      from generate_series(1, 2) n;
    insert into audit_entries (action, subject, created_at) values ('guard', '${randomUUID()}', now());
    update creators set suspended_at = now()
      where user_id = (select user_id from creators order by user_id desc limit 1);
    update creator_records set is_tallied = true;`);
}

/** Returns a statement that posts one new ledger transaction. */
function posting(rows: string): string {
  return `with made as (insert into ledger_transactions (kind, reference, created_at)
      values ('grant', 'guard', now()) returning id)
    insert into ledger_postings (transaction_id, account, unit, amount)
      select made.id, v.* from made, (values ${rows}) v`;
}

/** Returns a statement that raises an error with the guard's name if the condition shows that the guard ran. */
function raisesWhen(guard: string, statement: string, condition: string): string {
  return `do $$ begin ${statement}; if ${condition} then
    raise exception 'it works' using errcode = 'check_violation', constraint = '${guard}';
  end if; end $$`;
}

function session(token: string, user: string, count: number): string {
  return `insert into sessions (token, user_id, expires_at, created_at, updated_at)
    select ${token}, ${user}, now(), now(), now() from generate_series(1, ${count})`;
}
