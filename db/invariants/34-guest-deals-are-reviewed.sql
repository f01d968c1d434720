-- No payout was requested with a guest deal that nobody had reviewed while five or more of the creator's sales of 30
-- days, and more than half of them, were guest deals.
with payout as (
  select o.id, o.creator_id, o.requested_at from payouts o
  where o.requested_at >= $1 and exists (select from earnings e
    join sales s on s.id = e.sale_id join wallets w on w.user_id = s.buyer_id
    where e.payout_id = o.id and e.reviewed_at is null and w.guest_deal_at is not null
      and s.id = (select min(f.id) from sales f where f.buyer_id = s.buyer_id))
)
select payout.id::text as subject, sold.guest_deals || ' of ' || sold.sales || ' sales were guest deals' as problem
from payout, lateral (
  select count(*) as sales, count(*) filter (where w.guest_deal_at is not null
    and s.id = (select min(f.id) from sales f where f.buyer_id = s.buyer_id)) as guest_deals
  from sales s join wallets w on w.user_id = s.buyer_id
  where s.creator_id = payout.creator_id
    and s.created_at > payout.requested_at - interval '30 days' and s.created_at <= payout.requested_at
) sold
where sold.guest_deals >= 5 and 2 * sold.guest_deals > sold.sales
