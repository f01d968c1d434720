-- For each purchase, the ledger contains the money that was refunded or lost in disputes exactly once. The
-- same fraction of its coins was taken, to the nearest coin, and its welcome coins with the whole price. An order has
-- the price of its coin pack that was in force in the five minutes before it was written.
with refunded as (
  select p.id, p.coins, p.amount_cents, p.recovered_coins, p.welcome_coins, p.recovered_welcome_coins,
    least(p.amount_cents, p.refunded_cents + p.lost_cents) as returned_cents
  from coin_purchases p
  where p.refunded_cents > 0 or p.dispute_status is not null
), added as materialized (
  select id from purchase_adjustments where created_at >= $1
), recent as (
  select id from added
  union
  select a.id from refunded u cross join lateral (
    select id from purchase_adjustments where purchase_id = u.id
  ) a
), posted as (
  select a.purchase_id, a.transaction_id, a.cents, a.coins, a.welcome_coins,
    coalesce(-sum(l.amount) filter (where l.account = 'provider'), 0) as posted_cents,
    coalesce(sum(l.amount) filter (where l.account = 'sold'), 0) as posted_coins,
    coalesce(sum(l.amount) filter (where l.account = 'welcome'), 0) as posted_welcome_coins
  from recent join purchase_adjustments a on a.id = recent.id
  join ledger_postings l on l.transaction_id = a.transaction_id
  group by a.id
)
select u.id::text as subject, 'the posted money or coins differ from the payment' as problem
from refunded u left join posted m on m.purchase_id = u.id
group by u.id, u.coins, u.amount_cents, u.recovered_coins, u.welcome_coins, u.recovered_welcome_coins,
  u.returned_cents
having coalesce(sum(m.posted_cents), 0) <> u.returned_cents
  or coalesce(sum(m.posted_coins), 0) <> u.recovered_coins
  or u.recovered_coins <> round(u.coins::numeric * u.returned_cents / u.amount_cents)
  or coalesce(sum(m.posted_welcome_coins), 0) <> u.recovered_welcome_coins
  or u.recovered_welcome_coins <> case when u.returned_cents = u.amount_cents then u.welcome_coins else 0 end
union all
select m.transaction_id::text, 'the adjustment differs from its postings'
from posted m
where (m.cents, m.coins, m.welcome_coins)
  is distinct from (m.posted_cents, m.posted_coins, m.posted_welcome_coins)
union all
select p.id::text, 'coins were recovered without a refund or dispute'
from coin_purchases p
where $1 = '-infinity'::timestamptz and p.refunded_cents = 0 and p.dispute_status is null
  and (p.recovered_coins <> 0 or p.recovered_welcome_coins <> 0 or p.lost_cents <> 0)
union all
select t.reference, 'the ledger transaction has no adjustment'
from ledger_transactions t
join ledger_postings l on l.transaction_id = t.id and l.account = 'provider'
where t.created_at >= $1 and t.kind in ('refund', 'dispute')
  and not exists (select from purchase_adjustments a where a.transaction_id = t.id)
union all
select o.id::text, 'the amount was not the price of the coin pack'
from orders o
where o.created_at >= $1 and exists (select from prices p where p.subject = o.coin_pack_id)
  and not exists (
    select from prices p
    where p.subject = o.coin_pack_id and p.value = o.amount_cents and p.valid_from <= o.created_at
      and not exists (select from prices later
        where later.subject = p.subject and (later.valid_from, later.id) > (p.valid_from, p.id)
          and later.valid_from <= o.created_at - interval '5 minutes'))
