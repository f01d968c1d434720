-- Each paid checkout session is credited exactly once, with the coins, amount and currency of its order.
-- An unpaid session is never credited.
select o.id::text as order_id, 'the purchase differs from its order' as problem
from coin_purchases p join orders o on o.id = p.order_id
where p.created_at >= $1
  and ((p.coins, p.amount_cents, p.currency, p.provider, p.session_id)
      is distinct from (o.coins, o.amount_cents, o.currency, o.provider, o.session_id)
    or o.status <> 'fulfilled')
union all
select o.id::text, 'the order is fulfilled but has no purchase'
from orders o where o.updated_at >= $1 and o.status = 'fulfilled'
  and not exists (select from coin_purchases p where p.order_id = o.id)
union all
select p.order_id::text, 'the ledger transaction differs from the purchase'
from coin_purchases p
where p.created_at >= $1
  and not exists (
    select from ledger_transactions t
    join ledger_postings sold on sold.transaction_id = t.id and sold.account = 'sold'
    join ledger_postings paid on paid.transaction_id = t.id and paid.account = 'provider'
    where t.id = p.transaction_id and t.kind = 'purchase'
      and sold.amount = -p.coins and paid.amount = p.amount_cents)
union all
select t.reference, 'the ledger transaction has no purchase'
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'purchase'
  and not exists (select from coin_purchases p where p.transaction_id = t.id)
