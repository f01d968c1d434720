-- A payout's earnings add up to it and it is at least R100; a creator has at most one open; no earning
-- is paid while held or after its reversal.
select o.id::text as payout, 'its earnings do not add up' as problem
from payouts o
where greatest(o.requested_at, o.processing_at, o.paid_at, o.changed_at) >= $1 and o.status <> 'stopped'
  and (o.amount_cents < 10000 or o.amount_cents is distinct from
    (select sum(e.amount_cents) from earnings e where e.payout_id = o.id and e.creator_id = o.creator_id))
union all
select min(o.id::text), 'a second open payout of one creator'
from payouts o where o.status in ('requested', 'processing') group by o.creator_id having count(*) > 1
union all
select o.id::text, 'pays what is held or reversed'
from earnings e join payouts o on o.id = e.payout_id
where o.requested_at >= $1
  and (e.held_at is not null or exists (select from earning_reversals r where r.sale_id = e.sale_id))
