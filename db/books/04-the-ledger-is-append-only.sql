-- Each (kind, reference) is posted once, and the triggers that block changes are in place.
select kind || ' ' || reference as what, count(*)::text as found from ledger_transactions
where created_at >= $1 group by kind, reference having count(*) > 1
union all
select guard.tbl || '.' || guard.name, 'missing or switched off'
from (values
  ('ledger_transactions', 'ledger_transactions_append_only'),
  ('ledger_transactions', 'ledger_transactions_keep'),
  ('ledger_postings', 'ledger_postings_append_only'),
  ('ledger_postings', 'ledger_postings_keep'),
  ('ledger_postings', 'ledger_postings_balance'),
  ('sales', 'sales_append_only'),
  ('sales', 'sales_keep'),
  ('earning_reversals', 'earning_reversals_append_only'),
  ('void_returns', 'void_returns_append_only'),
  ('tips', 'tips_are_facts'),
  ('tips', 'tips_stay'),
  ('tips', 'tips_keep'),
  ('race_cards', 'race_cards_are_facts'),
  ('audit_entries', 'audit_entries_append_only')
) as guard (tbl, name)
where not exists (
  select from pg_trigger t
  where t.tgrelid = guard.tbl::regclass and t.tgname = guard.name and t.tgenabled in ('O', 'A')
)
