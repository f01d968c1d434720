-- Coins are created only by a purchase, welcome coins or an audited grant.
select t.id as transaction_id, t.kind, p.account, p.amount
from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
where t.created_at >= $1 and p.unit = 'coin'
  -- Refunds and disputes may return recovered coins; 20-purchases-match-payments checks how many.
  and ((p.account = 'sold' and p.amount < 0 and t.kind not in ('purchase', 'refund', 'dispute'))
    or (p.account = 'welcome' and t.kind not in ('welcome', 'refund', 'dispute'))
    or (p.account = 'granted' and t.kind <> 'grant')
    or (p.account = 'redeemed' and p.amount < 0 and t.kind not in ('refund', 'dispute', 'reversal'))
    -- A refund or dispute takes coins back that a closed account left, and its claim code moves them.
    or (p.account = 'forfeited' and p.amount < 0 and t.kind not in ('refund', 'dispute', 'claim')
      and not (t.kind = 'forfeit' and p.owner_id is null)))
union all
select t.id, t.kind, 'welcome coins without a guest deal', null
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'welcome'
  and not exists (select from guest_deals g where g.order_id::text = t.reference)
union all
select t.id, t.kind, 'grant without an audit entry', null
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'grant'
  and not exists (select from audit_entries a where a.action = 'grant-coins' and a.subject = t.reference)
