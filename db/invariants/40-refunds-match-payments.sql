-- What was refunded here went back to the payer, and the house bears at most the coins of the purchase.
with recent as materialized (select * from purchase_refunds where created_at >= $1)
select p.id::text as subject, 'less went back to the payer than was refunded' as problem
from (select distinct purchase_id from recent) r join coin_purchases p on p.id = r.purchase_id
where (select sum(s.amount_cents) from purchase_refunds s where s.purchase_id = p.id and s.status = 'sent')
  > least(p.amount_cents, p.refunded_cents + p.lost_cents)
union all
select r.id::text, 'more is refunded than was left of the payment'
from recent r
where r.amount_cents + r.returned_cents_before > (select p.amount_cents from coin_purchases p where p.id = r.purchase_id)
union all
select r.id::text, 'more coins are granted than were bought'
from recent r
where (select sum(l.amount) from ledger_postings l
    where l.transaction_id = r.grant_transaction_id and l.account = 'owed')
  > (select p.coins + p.welcome_coins from coin_purchases p where p.id = r.purchase_id)
union all
select r.id::text, 'the refund failed, and its granted coins were not taken back'
from recent r join coin_purchases p on p.id = r.purchase_id
where r.status = 'failed' and r.grant_transaction_id is not null
  and not exists (select from ledger_transactions t
    where t.kind = 'grant' and t.reference = p.user_id || ':' || r.id || ':failed')
