-- An earning that would be lost with the open disputes of its buyer is held, or reversed. It is in no payout that can
-- still change; if the payout has been exported, the earning is recorded as a late hold.
-- No earning is held for a dispute when its buyer has no open one.
with buyers as (
  select array_agg(distinct user_id) as ids from coin_purchases
  where (refunded_cents > 0 or dispute_status is not null) and dispute_status = 'open'
), disputed as (
  select l.sale_id from buyers, count_lacking_coins(ids, true) l
  join count_lacking_coins(ids, false) n on n.sale_id = l.sale_id
  where l.coins > n.coins
)
select coalesce(o.id, d.sale_id::text) as subject, o.problem
from disputed d join earnings e on e.sale_id = d.sale_id
cross join lateral (
  select null::text as id, 'the sale is not held although its payment is disputed' as problem
  where e.payout_id is null and e.held_at is null
    and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
  union all
  select o.id::text, 'contains the disputed sale ' || d.sale_id
  from payouts o
  where o.id = e.payout_id and (o.status = 'requested' or (o.status = 'processing' and (o.export_id is null
    or not exists (select from late_holds h where h.sale_id = d.sale_id))))
) o
union all
select o.id::text, 'is stopped but still has earnings'
from payouts o where o.stopped_at >= $1 and exists (select from earnings e where e.payout_id = o.id)
union all
select s.id::text, 'the sale is held although no dispute is open'
from earnings e join sales s on s.id = e.sale_id
where e.held_at is not null and e.held_reason = 'dispute'
  and not exists (select from coin_purchases p where p.user_id = s.buyer_id and p.dispute_status = 'open')
