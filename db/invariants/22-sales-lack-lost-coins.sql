-- The coins that each sale lacks are those that refunds and lost disputes left unpaid in the whole history of its
-- buyer, who owes the sum of them.
with buyers as (
  select distinct p.user_id from coin_purchases p
  where (p.refunded_cents > 0 or p.dispute_status is not null)
    and ($1 = '-infinity'::timestamptz or exists (
      select from purchase_adjustments a where a.purchase_id = p.id and a.created_at >= $1))
    -- A job counts granted coins within five minutes.
    and not exists (select from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
      where l.owner_id = p.user_id and t.kind = 'grant' and t.created_at > $2::timestamptz - interval '6 minutes')
), lacking as (
  select c.* from count_lacking_coins((select array_agg(user_id) from buyers), false) c
)
select l.sale_id::text as subject, 'the sale lacks ' || l.coins || ' coins, but ' || e.lacking_coins || ' are booked' as problem
from lacking l join earnings e on e.sale_id = l.sale_id
where l.coins <> e.lacking_coins
union all
select w.user_id::text, 'the buyer owes other coins than the sales lack'
from buyers b join wallets w on w.user_id = b.user_id
where w.owed_coins <> coalesce((select sum(l.coins) from lacking l where l.buyer_id = b.user_id), 0)
union all
select e.sale_id::text, 'the sale lacks coins although no payment of its buyer was lost'
from earnings e join sales s on s.id = e.sale_id
where e.lacking_coins > 0 and not exists (select from coin_purchases p
  where p.user_id = s.buyer_id and (p.refunded_cents > 0 or p.dispute_status is not null))
