-- The amount of each payout is the sum of its earnings and at least R100, or more than nothing if its creator was
-- suspended. A creator has at most one open payout. No payout contains a held or reversed earning.
select o.id::text as payout, 'the amount is not the sum of its earnings' as problem
from payouts o
where greatest(o.requested_at, o.processing_at, o.paid_at, o.changed_at) >= $1 and o.status <> 'stopped'
  and (o.amount_cents < case when o.is_final then 1 else 10000 end or o.amount_cents is distinct from
    (select sum(e.amount_cents) from earnings e where e.payout_id = o.id and e.creator_id = o.creator_id))
union all
select min(o.id::text), 'the creator has more than one open payout'
from payouts o where o.status in ('requested', 'processing') group by o.creator_id having count(*) > 1
union all
select o.id::text, 'it contains a held or reversed earning'
from earnings e join payouts o on o.id = e.payout_id
where o.requested_at >= $1
  and (e.held_at is not null or exists (select from earning_reversals r where r.sale_id = e.sale_id))
