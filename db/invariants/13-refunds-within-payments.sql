-- Refunds never exceed the payment, and recovered coins never exceed the coins bought.
select p.id as purchase_id, p.amount_cents, p.refunded_cents, p.coins, p.recovered_coins
from coin_purchases p
where (p.refunded_cents > 0 or p.dispute_status is not null)
  and (p.refunded_cents > p.amount_cents or p.recovered_coins > p.coins)
union
-- Purchases without a refund or dispute. Only the nightly check reads all purchases.
select p.id, p.amount_cents, p.refunded_cents, p.coins, p.recovered_coins
from coin_purchases p
where $1 = '-infinity'::timestamptz
  and (p.refunded_cents > p.amount_cents or p.recovered_coins > p.coins)
