-- The totals of each payment file match its lines, and each exported payout has the amount of its line.
-- Only exported payouts are paid, and their payments have the amount of their line.
select x.id::text as subject, 'the totals of the file differ from its lines' as problem
from payment_exports x, lateral (select count(*) as payments, sum(l.amount_cents) as total_cents
  from payment_export_lines l where l.export_id = x.id) l
where x.created_at >= $1
  and (x.payments, x.total_cents) is distinct from (l.payments, l.total_cents)
union all
select o.id::text, 'the file has another amount or creator'
from payouts o join payment_export_lines l on l.export_id = o.export_id and l.payout_id = o.id
where greatest(o.requested_at, o.processing_at, o.paid_at, o.changed_at) >= $1
  and (l.amount_cents <> o.amount_cents or l.creator_id <> o.creator_id)
union all
select o.id::text, 'paid without a payment file'
from payouts o
where o.paid_at >= $1 and o.export_id is null and not o.is_paid_unrecorded
union all
select o.id::text, 'the ledger paid another amount'
from payouts o
where o.paid_at >= $1 and not exists (select from ledger_postings p
  where p.transaction_id = o.transaction_id and p.account = 'payable' and p.owner_id = o.creator_id
    and p.amount = -o.amount_cents)
