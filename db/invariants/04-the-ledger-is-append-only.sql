-- Each pair of kind and reference is posted once. The triggers that block changes exist and are enabled.
select kind || ' ' || reference as subject, count(*)::text as problem from ledger_transactions
where created_at >= $1 group by kind, reference having count(*) > 1
union all
select guard.table_name || '.' || guard.name, 'the trigger is missing or disabled'
from (values
  ('ledger_transactions', 'ledger_transactions_append_only'),
  ('ledger_transactions', 'ledger_transactions_no_truncate'),
  ('ledger_postings', 'ledger_postings_append_only'),
  ('ledger_postings', 'ledger_postings_no_truncate'),
  ('ledger_postings', 'ledger_postings_balance'),
  ('sales', 'sales_append_only'),
  ('sales', 'sales_no_truncate'),
  ('sales', 'sales_race_card'),
  ('earning_reversals', 'earning_reversals_append_only'),
  ('earnings', 'earnings_fixed_amount'),
  ('coin_returns', 'coin_returns_continue'),
  ('coin_returns', 'coin_returns_append_only'),
  ('coin_returns', 'coin_returns_no_truncate'),
  ('tips', 'tips_immutable'),
  ('tips', 'tips_no_delete'),
  ('tips', 'tips_no_truncate'),
  ('tips', 'tips_insert_refresh_offers'),
  ('tips', 'tips_update_refresh_offers'),
  ('races', 'races_insert_apply_off_times'),
  ('races', 'races_update_apply_off_times'),
  ('races', 'races_delete_apply_off_times'),
  ('race_cards', 'race_cards_immutable'),
  ('race_cards', 'race_cards_no_truncate'),
  ('race_cards', 'race_cards_add_offer'),
  ('creators', 'creators_apply_suspension'),
  ('race_changes', 'race_changes_append_only'),
  ('audit_entries', 'audit_entries_append_only')
) as guard (table_name, name)
where not exists (
  select from pg_trigger t
  where t.tgrelid = guard.table_name::regclass and t.tgname = guard.name and t.tgenabled in ('O', 'A')
)
