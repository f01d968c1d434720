-- Each sale of a void race card is refunded exactly 4 coins within five minutes. A sale that was reversed
-- by a refund or dispute is not refunded in coins as well.
with touched as (
  select race_card_id from tips
  where result = 'void' and settled_at >= $1::timestamptz - interval '10 minutes'
), void_cards as (
  select t.race_card_id from tips t where t.race_card_id in (select race_card_id from touched)
  group by t.race_card_id
  having bool_and(t.result is not distinct from 'void')
    and max(t.settled_at) < $2::timestamptz - interval '5 minutes'
)
select s.id::text as sale, 'the race card is void but its coins were not refunded' as problem
from void_cards c join sales s on s.race_card_id = c.race_card_id
where not exists (
    select from ledger_transactions t where t.kind = 'reversal' and t.reference = 'void:' || s.id)
  and not exists (select from earning_reversals r where r.sale_id = s.id and r.reason <> 'review')
union all
select t.reference, 'the buyer did not receive 4 coins'
from ledger_transactions t
left join sales s on s.id = substr(t.reference, 6)::bigint
where t.created_at >= $1 and t.kind = 'reversal' and t.reference like 'void:%'
  and (select sum(p.amount) from ledger_postings p
    where p.transaction_id = t.id and p.owner_id = s.buyer_id and p.account in ('wallet', 'owed'))
    is distinct from card_price_coins()
union all
select r.sale_id::text, 'the sale was refunded in money and in coins'
from earning_reversals r
join ledger_transactions t on t.kind = 'reversal' and t.reference = 'void:' || r.sale_id
where r.created_at >= $1 and r.reason in ('refund', 'dispute')
union
select r.sale_id::text, 'the sale was refunded in money and in coins'
from ledger_transactions t
join earning_reversals r on r.sale_id = substr(t.reference, 6)::bigint
where t.created_at >= $1 and t.kind = 'reversal' and t.reference like 'void:%'
  and r.reason in ('refund', 'dispute')
