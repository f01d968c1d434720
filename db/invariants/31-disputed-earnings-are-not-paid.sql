-- No earning of a sale with an open dispute is in a payout that can still change. If the payout has been
-- exported, the earning is recorded as a late hold.
select o.id::text as payout, 'contains the disputed sale ' || s.id as problem
from coin_purchases c
join sales s on s.buyer_id = c.user_id and s.transaction_id > c.transaction_id
join earnings e on e.sale_id = s.id
join payouts o on o.id = e.payout_id
where c.dispute_status = 'open'
  and (o.status = 'requested' or (o.status = 'processing' and (o.export_id is null
    or not exists (select from late_holds h where h.sale_id = s.id))))
union all
select o.id::text, 'is stopped but still has earnings'
from payouts o where o.stopped_at >= $1 and exists (select from earnings e where e.payout_id = o.id)
