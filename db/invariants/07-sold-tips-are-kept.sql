-- Every sale has a ledger transaction and all its tips. Every ledger transaction of an unlock has a sale.
select s.id::text as sale, 'its ledger transaction is missing' as problem
from sales s
where s.created_at >= $1
  and not exists (
    select from ledger_transactions t where t.id = s.transaction_id and t.kind = 'unlock'
      and t.reference = s.buyer_id || ':' || s.race_card_id)
union all
select s.id::text, 'one of its tips is missing'
from sales s where s.created_at >= $1
  and exists (select from unnest(s.tip_ids) sold where not exists
    (select from tips t where t.id = sold and t.race_card_id = s.race_card_id))
union all
select t.reference, 'coins were charged without a sale'
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'unlock'
  and not exists (select from sales s where s.transaction_id = t.id)
