-- No admin started, exported, withdrew or paid their own payout, reviewed their own earning or granted coins to themselves.
select a.subject, 'the admin acted on their own payout' as problem
from audit_entries a join payouts p on p.id::text = a.subject
where a.created_at >= $1 and a.actor_id = p.creator_id
  and a.action in ('start-payout', 'mark-payout-paid', 'withdraw-export')
union all
select x.id::text, 'the admin exported their own payout'
from payment_exports x join payment_export_lines l on l.export_id = x.id
where x.created_at >= $1 and x.created_by = l.creator_id
union all
select a.subject, 'the admin reviewed their own earning'
from audit_entries a join earnings e on 'sale:' || e.sale_id = a.subject
where a.created_at >= $1 and a.actor_id = e.creator_id
  and a.action in ('release-earning', 'reverse-earning')
union all
select a.subject, 'the admin granted coins to themselves'
from audit_entries a
where a.created_at >= $1 and a.action = 'grant-coins' and a.details ->> 'userId' = a.actor_id::text
