-- No payout was requested with a guest deal that nobody had reviewed while five or more of the creator's sales of 30
-- days, and more than half of them, were guest deals.
select o.id::text as subject, sold.guest_deals || ' of ' || sold.sales || ' sales were guest deals' as problem
from payouts o, lateral (
  select count(*) as sales, count(*) filter (where (select w.guest_deal_at from wallets w where w.user_id = s.buyer_id)
      is not null and s.id = (select min(f.id) from sales f where f.buyer_id = s.buyer_id)) as guest_deals
  from sales s
  where s.creator_id = o.creator_id
    and s.created_at > o.requested_at - interval '30 days' and s.created_at <= o.requested_at
) sold
where o.requested_at >= $1 and sold.guest_deals >= 5 and 2 * sold.guest_deals > sold.sales
  and exists (select from earnings e join sales s on s.id = e.sale_id
    where e.payout_id = o.id and e.reviewed_at is null
      and (select w.guest_deal_at from wallets w where w.user_id = s.buyer_id) is not null
      and s.id = (select min(f.id) from sales f where f.buyer_id = s.buyer_id))
