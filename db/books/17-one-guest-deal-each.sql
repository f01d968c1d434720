-- One guest deal per payment card and address.
select g.email as subject, count(*) as deals from guest_deals g group by g.email having count(*) > 1
union all
select g.card_fingerprint, count(*) from guest_deals g group by g.card_fingerprint having count(*) > 1
union all
select p.order_id::text, p.welcome_coins from coin_purchases p
where p.created_at >= $1
  and (p.welcome_coins > 0) <> exists (select from guest_deals g where g.order_id = p.order_id)
