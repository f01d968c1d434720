-- An earning that would be lost with the open disputes of its buyer is held, or reversed. It is in no payout that can
-- still change; if the payout has been exported, the earning is recorded as a late hold.
--
-- Computes the coins that each sale of such a buyer would lack without the disputed payments, and those that it lacks
-- today, as src/domain/lost-coins.ts: a sale takes the coins that are left, and lacks the rest; the coins that are left
-- at the end repay the oldest sales first. `lacked` is the sum of what the sales up to an event lack before that.
with buyers as (
  select distinct user_id from coin_purchases
  where (refunded_cents > 0 or dispute_status is not null) and dispute_status = 'open'
), events as (
  select c.user_id, x.is_lost, c.transaction_id, null::bigint as sale_id,
    case when l.cents = c.amount_cents then 0
      else c.coins + c.welcome_coins - round(c.coins::numeric * l.cents / c.amount_cents) end as coins
  from buyers b join coin_purchases c on c.user_id = b.user_id
  cross join (values (true), (false)) x (is_lost)
  cross join lateral (select case when x.is_lost and c.dispute_status = 'open' then c.amount_cents
    else least(c.amount_cents, c.refunded_cents + c.lost_cents) end as cents) l
  union all
  select b.user_id, x.is_lost, t.id, null, p.amount
  from buyers b join ledger_postings p on p.owner_id = b.user_id and p.account in ('wallet', 'owed')
  join ledger_transactions t on t.id = p.transaction_id and t.kind in ('grant', 'claim')
  cross join (values (true), (false)) x (is_lost)
  union all
  select b.user_id, x.is_lost, s.transaction_id, s.id,
    coalesce((select sum(r.coins) from coin_returns r where r.sale_id = s.id), 0) - s.price_coins
  from buyers b join sales s on s.buyer_id = b.user_id
  cross join (values (true), (false)) x (is_lost)
), sums as (
  select e.*, sum(coins) over (partition by user_id, is_lost order by transaction_id rows unbounded preceding) as balance,
    sum(coins) over (partition by user_id, is_lost) as final_balance
  from events e
), walk as (
  select m.*, greatest(0, max(-balance) over history) as lacked,
    coalesce(greatest(0, max(-balance) over (history rows between unbounded preceding and 1 preceding)), 0) as lacked_before,
    final_balance + greatest(0, max(-balance) over (partition by user_id, is_lost)) as repaid
  from sums m
  window history as (partition by user_id, is_lost order by transaction_id)
), disputed as (
  select w.sale_id from walk w where w.sale_id is not null
  group by w.sale_id
  having sum(case when w.is_lost then 1 else -1 end * greatest(0, w.lacked - greatest(w.lacked_before, w.repaid))) > 0
)
select coalesce(o.id, d.sale_id::text) as subject, o.problem
from disputed d join earnings e on e.sale_id = d.sale_id
cross join lateral (
  select null::text as id, 'the sale is not held although its payment is disputed' as problem
  where e.payout_id is null and e.held_at is null
    and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
  union all
  select o.id::text, 'contains the disputed sale ' || d.sale_id
  from payouts o
  where o.id = e.payout_id and (o.status = 'requested' or (o.status = 'processing' and (o.export_id is null
    or not exists (select from late_holds h where h.sale_id = d.sale_id))))
) o
union all
select o.id::text, 'is stopped but still has earnings'
from payouts o where o.stopped_at >= $1 and exists (select from earnings e where e.payout_id = o.id)
