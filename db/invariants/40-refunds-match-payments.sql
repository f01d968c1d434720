-- What was refunded here went back to the payer, and the house bears at most the coins of the purchase.
select p.id::text as subject, 'less went back to the payer than was refunded' as problem
from coin_purchases p
where exists (select from purchase_refunds r where r.purchase_id = p.id and r.created_at >= $1)
  and (select sum(r.amount_cents) from purchase_refunds r where r.purchase_id = p.id and r.status = 'sent')
    > least(p.amount_cents, p.refunded_cents + p.lost_cents)
union all
select r.id::text, 'more is refunded than was left of the payment'
from purchase_refunds r
where r.created_at >= $1
  and r.amount_cents + r.returned_cents_before > (select p.amount_cents from coin_purchases p where p.id = r.purchase_id)
union all
select r.id::text, 'more coins are granted than were bought'
from purchase_refunds r
where r.created_at >= $1 and r.grant_transaction_id is not null
  and (select sum(l.amount) from ledger_postings l
      where l.transaction_id = r.grant_transaction_id and l.account = 'owed')
    > (select p.coins + p.welcome_coins from coin_purchases p where p.id = r.purchase_id)
