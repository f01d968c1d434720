-- A payout that was released as a transfer is locked while the transfer is in progress, and paid exactly when it
-- succeeded. A transfer that failed or came back leaves its payout unlocked. The provider has not reported since that it
-- ended otherwise, unless an admin has resolved it.
with changed as materialized (select * from payout_transfers where changed_at >= $1)
select t.reference::text as subject, 'the payout does not match its transfer, which is ' || t.status as problem
from changed t join payouts o on o.id = t.payout_id
where case t.status
  when 'pending' then o.status <> 'processing' or o.export_id is distinct from t.export_id
  when 'paid' then o.status <> 'paid' or o.export_id is distinct from t.export_id
  else o.export_id is not distinct from t.export_id end
union all
select o.id::text, 'paid as a transfer that did not succeed'
from payouts o join payment_exports x on x.id = o.export_id and x.format = 'paystack'
where o.paid_at >= $1 and not exists (select from payout_transfers t
  where t.payout_id = o.id and t.export_id = o.export_id and t.status = 'paid')
union all
select t.reference::text, 'the provider reports ' || t.provider_status || ' of a transfer that is ' || t.status
from changed t
where (t.status = 'paid') <> (coalesce(t.provider_status, '') = 'success') and t.status <> 'pending'
  and t.resolved_at is null
