-- No admin started, exported, withdrew or paid their own payout, reviewed their own earning, granted coins to
-- themselves or refunded their own purchase.
with acts as materialized (
  select actor_id, action, subject, details from audit_entries
  where created_at >= $1 and action in
    ('start-payout', 'mark-payout-paid', 'withdraw-export', 'release-earning', 'reverse-earning', 'grant-coins')
), refunds as materialized (
  select * from purchase_refunds where created_at >= $1
)
select a.subject, 'the admin acted on their own payout' as problem
from acts a, lateral (select p.creator_id from payouts p where p.id = a.subject::uuid) p
where a.action in ('start-payout', 'mark-payout-paid', 'withdraw-export') and a.actor_id = p.creator_id
union all
select x.id::text, 'the admin exported their own payout'
from payment_exports x join payment_export_lines l on l.export_id = x.id
where x.created_at >= $1 and x.created_by = l.creator_id
union all
select a.subject, 'the admin reviewed their own earning'
from acts a, lateral (select e.creator_id from earnings e where e.sale_id = substr(a.subject, 6)::bigint) e
where a.action in ('release-earning', 'reverse-earning') and a.actor_id = e.creator_id
union all
select a.subject, 'the admin granted coins to themselves'
from acts a
where a.action = 'grant-coins' and a.details ->> 'userId' = a.actor_id::text
union all
select r.id::text, 'the admin refunded their own purchase'
from refunds r join coin_purchases p on p.id = r.purchase_id and p.user_id = r.requested_by
