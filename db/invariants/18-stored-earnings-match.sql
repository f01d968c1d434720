-- Stored daily and total earnings match the sales, reversals, ledger and payouts.
with position as (select before_xid from earning_days_position),
touched as (
  select distinct creator_id from sales where created_at >= $1
  union select s.creator_id from earning_reversals r join sales s on s.id = r.sale_id
    where r.created_at >= $1
  union select s.creator_id from coin_returns r join sales s on s.id = r.sale_id
    where r.created_at >= $1
  union select creator_id from payouts where greatest(requested_at, paid_at, changed_at, stopped_at) >= $1
  -- Totals without a sale or payout. Only the nightly check reads all totals.
  union select creator_id from earning_totals where $1 = '-infinity'::timestamptz
  union select creator_id from payout_totals where $1 = '-infinity'::timestamptz
), days as (
  select d.creator_id, sum(d.sales) as sales, sum(d.earned_cents) as earned,
    sum(d.reversed_sales) as reversed_sales, sum(d.reversed_cents) as reversed
  from touched k join earning_days d on d.creator_id = k.creator_id group by 1
), ledger as (
  -- Earnings according to the ledger, without the sales, reversals and reductions that are not yet rolled up.
  select k.creator_id,
    coalesce((select sum(p.amount) from ledger_postings p
      where p.owner_id = k.creator_id and p.account = 'payable'), 0)
    + coalesce((select sum(o.amount_cents) from payouts o
        where o.creator_id = k.creator_id and o.status = 'paid'), 0)
    - coalesce((select sum(s.earning_cents) from position, sales s
        where s.creator_id = k.creator_id and s.created_xid >= before_xid), 0)
    + coalesce((select sum(r.amount_cents) from position, earning_reversals r
          join sales s on s.id = r.sale_id
        where s.creator_id = k.creator_id and r.created_xid >= before_xid), 0)
    + coalesce((select sum(r.reduced_cents) from position, coin_returns r
          join sales s on s.id = r.sale_id
        where s.creator_id = k.creator_id and r.created_xid >= before_xid), 0)
    -- Restored earnings whose reversals are still included in the totals.
    - coalesce((select sum(r.amount_cents) from position, earning_restorations r
          join sales s on s.id = r.sale_id
        where s.creator_id = k.creator_id and r.reversed_xid < before_xid
          and r.created_xid >= before_xid), 0) as earned
  from touched k
), day_sales as (
  -- All sales of each day that has a sale in the checked period.
  select s.creator_id, t.day, count(*) as sales, sum(s.earning_cents) as earned
  from (select distinct (created_at at time zone 'Africa/Johannesburg')::date as day
      from sales where created_at >= $1) t
  join sales s on s.created_at >= t.day::timestamp at time zone 'Africa/Johannesburg'
    and s.created_at < (t.day + 1)::timestamp at time zone 'Africa/Johannesburg'
  join position on s.created_xid < before_xid
  group by 1, 2
)
select k.creator_id, null::date as day, 'the total is not the sum of the days' as problem
from touched k left join days d on d.creator_id = k.creator_id
left join earning_totals t on t.creator_id = k.creator_id
where (coalesce(t.sales, 0), coalesce(t.earned_cents, 0), coalesce(t.reversed_sales, 0), coalesce(t.reversed_cents, 0))
  is distinct from
  (coalesce(d.sales, 0), coalesce(d.earned, 0), coalesce(d.reversed_sales, 0), coalesce(d.reversed, 0))
union all
select l.creator_id, null, 'the total differs from the ledger'
from ledger l left join earning_totals t on t.creator_id = l.creator_id
where coalesce(t.earned_cents - t.reversed_cents, 0) <> l.earned
union all
select coalesce(n.creator_id, d.creator_id), coalesce(n.day, d.day), 'the day differs from its sales'
from day_sales n
left join earning_days d on d.creator_id = n.creator_id and d.day = n.day
where n.sales is distinct from d.sales or d.earned_cents is distinct from n.earned
union all
select k.creator_id, null, 'the payout total is not the sum of the payouts'
from touched k left join payout_totals t on t.creator_id = k.creator_id
where coalesce(t.cents, 0) <> coalesce((select sum(o.amount_cents) from payouts o
  where o.creator_id = k.creator_id and o.status <> 'stopped'), 0)
