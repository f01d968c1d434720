-- Each claim takes exactly the coins of failed refunds from their closed account, once. What is refunded or claimed of
-- a purchase is at most what was bought, and with what went back to the payer at most what was paid.
select t.reference as subject, 'the claimed coins differ from the failed refunds' as problem
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'claim'
  and (select sum(r.coins) from unspent_coin_refunds r where r.claim_transaction_id = t.id) is distinct from
    (select -sum(p.amount) from ledger_postings p
      where p.transaction_id = t.id and p.account = 'forfeited'
        and p.owner_id in (select r.user_id from unspent_coin_refunds r where r.claim_transaction_id = t.id))
union all
select t.reference, 'coins were claimed without a failed refund'
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'claim'
  and not exists (select from unspent_coin_refunds r where r.claim_transaction_id = t.id)
union all
select r.id::text, 'more is refunded than was bought'
from unspent_coin_refunds r
where r.created_at >= $1
  and (r.coins > (select p.coins from coin_purchases p where p.id = r.purchase_id)
    or r.amount_cents > (select p.amount_cents from coin_purchases p where p.id = r.purchase_id))
union all
select r.id::text, 'more went back to the payer and was claimed than was paid'
from unspent_coin_refunds r
where r.created_at >= $1 and r.status in ('claimed', 'paid')
  and r.amount_cents > (select greatest(0, p.amount_cents - p.refunded_cents - p.lost_cents)
    from coin_purchases p where p.id = r.purchase_id)
