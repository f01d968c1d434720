-- A purchase reverses only later sales of the same buyer. The coins of the reversed sales match the adjustments: the
-- price less the coins that were returned for void races. No earning is held for a dispute when its buyer has no open one.
select r.sale_id::text as subject, 'the sale was reversed for a purchase that came later or was made by another buyer' as problem
from earning_reversals r join sales s on s.id = r.sale_id join coin_purchases p on p.id = r.purchase_id
where r.created_at >= $1 and (s.buyer_id <> p.user_id or s.transaction_id <= p.transaction_id)
union all
select p.id::text, 'the coins of the reversed sales differ from the adjustments'
from coin_purchases p
where (p.refunded_cents > 0 or p.dispute_status is not null)
  and coalesce((select sum(a.sale_coins + a.welcome_sale_coins) from purchase_adjustments a
      where a.purchase_id = p.id), 0)
    <> coalesce((select sum(card_price_coins() - coalesce((select sum(c.coins) from coin_returns c
        where c.sale_id = r.sale_id), 0)) from earning_reversals r where r.purchase_id = p.id), 0)
union all
select s.id::text, 'the sale is held although no dispute is open'
from earnings e join sales s on s.id = e.sale_id
where e.held_at is not null and e.held_reason = 'dispute'
  and not exists (select from coin_purchases p where p.user_id = s.buyer_id and p.dispute_status = 'open')
