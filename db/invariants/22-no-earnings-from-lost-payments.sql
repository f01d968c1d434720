-- Earnings are reversed if they come from a guest deal that was refunded or lost in full, or from coins
-- that the buyer owes after a refund or dispute. Earnings in a payout are an exception.
with adjusted as (
  select p.id, p.user_id, p.transaction_id, p.opened_race_card_id, p.welcome_coins,
    least(p.amount_cents, p.refunded_cents + p.lost_cents) = p.amount_cents as is_lost,
    a.transaction_id as adjusted_by, a.created_at as adjusted_at, a.owed_coins
  from coin_purchases p join lateral (
    select * from purchase_adjustments a where a.purchase_id = p.id order by a.id desc limit 1
  ) a on true
  where p.refunded_cents > 0 or p.dispute_status is not null
)
select s.id as sale_id, a.id as purchase_id
from adjusted a
join sales s on s.buyer_id = a.user_id and s.transaction_id > a.transaction_id
  and s.transaction_id < a.adjusted_by
join earnings e on e.sale_id = s.id
where $1::timestamptz is not null
  -- An earning that was in a payment file when the money was lost needs a review if the file is withdrawn.
  and e.payout_id is null and (e.held_reason <> 'late-hold' or e.payable_at > a.adjusted_at)
  and not exists (select from earning_reversals r where r.sale_id = s.id)
  and not exists (select from earning_restorations r where r.sale_id = s.id and r.purchase_id is not null)
  -- All its coins were returned for void races, so no coins of the payment are left in it.
  and coalesce((select sum(c.coins) from coin_returns c where c.sale_id = s.id), 0) < card_price_coins()
  and (case when a.welcome_coins > 0 and s.race_card_id = a.opened_race_card_id
    then a.is_lost else a.owed_coins >= card_price_coins() end)
