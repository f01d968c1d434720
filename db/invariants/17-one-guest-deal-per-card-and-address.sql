-- Each payment card and email address received the guest deal at most once.
select n.email as subject, 2 as deals from guest_deals n
where n.created_at >= $1
  and exists (select from guest_deals g where g.email = n.email and g.order_id <> n.order_id)
union all
select n.card_fingerprint, 2 from guest_deals n
where n.created_at >= $1
  and exists (select from guest_deals g
    where g.card_fingerprint = n.card_fingerprint and g.order_id <> n.order_id)
union all
select p.order_id::text, p.welcome_coins from coin_purchases p
where p.created_at >= $1
  and (p.welcome_coins > 0) <> exists (select from guest_deals g where g.order_id = p.order_id)
