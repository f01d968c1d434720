-- Each sale has the rand price and the earning of the terms in force at its time, posts this earning, and has exactly
-- one earning for the creator of its race card: the same amount less the reductions for void races. It has at most one
-- reversal, of the whole amount. The amount payable to a creator in the ledger equals the earnings minus reversals and
-- paid payouts.
select s.id::text as subject, 'the earning is missing or not that of the sale less its reductions' as problem
from sales s left join earnings e on e.sale_id = s.id
where s.created_at >= $1
  and (e.sale_id is null or e.creator_id <> s.creator_id
    or e.amount_cents + coalesce((select sum(r.reduced_cents) from coin_returns r
      where r.sale_id = s.id), 0) <> s.earning_cents)
union all
select s.id::text, 'the price or the earning is not that of the terms at the time of the sale'
from sales s left join sale_terms(s.created_at) t on true
where s.created_at >= $1
  and (s.price_cents, s.earning_cents) is distinct from (t.price_cents, t.earning_cents)
union all
select s.id::text, 'the ledger has another earning or another share of the house'
from sales s left join lateral (
  select sum(p.amount) filter (where p.account = 'payable' and p.owner_id = s.creator_id) as earned,
    -sum(p.amount) filter (where p.account = 'commission') as commission
  from ledger_postings p where p.transaction_id = s.transaction_id
) p on true
where s.created_at >= $1
  and (s.earning_cents, s.earning_cents) is distinct from (p.earned, p.commission)
union all
select r.sale_id::text, 'the reversal is not of the amount of the earning'
from earning_reversals r join earnings e on e.sale_id = r.sale_id
where r.created_at >= $1 and r.amount_cents <> e.amount_cents
union all
select c.creator_id::text, 'the ledger owes ' || c.owed || ' cents, but the earnings are ' || c.earned
from (
  select k.creator_id,
    coalesce((select sum(p.amount) from ledger_postings p
      where p.owner_id = k.creator_id and p.account = 'payable'), 0) as owed,
    coalesce((select sum(e.amount_cents) from earnings e where e.creator_id = k.creator_id), 0)
      - coalesce((select sum(e.amount_cents) from earnings e
          join earning_reversals r on r.sale_id = e.sale_id where e.creator_id = k.creator_id), 0)
      - coalesce((select sum(o.amount_cents) from payouts o
          where o.creator_id = k.creator_id and o.status = 'paid'), 0) as earned
  from (
    select distinct creator_id from sales where created_at >= $1
    union select s.creator_id from earning_reversals r join sales s on s.id = r.sale_id
      where r.created_at >= $1
    union select creator_id from payouts where paid_at >= $1
    union select p.owner_id from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
      where t.created_at >= $1 and p.account = 'payable'
  ) k
) c
where c.owed <> c.earned
