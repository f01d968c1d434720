-- Each sale takes exactly 4 coins from its buyer. A buyer pays once for a race card and is never its
-- creator.
select s.id as sale_id, s.buyer_id, s.race_card_id, m.coins
from sales s
left join race_cards c on c.id = s.race_card_id
left join lateral (
  select -sum(p.amount) as coins from ledger_postings p
  where p.transaction_id = s.transaction_id and p.account = 'wallet' and p.owner_id = s.buyer_id
) m on true
where s.created_at >= $1
  and (m.coins is distinct from card_price_coins() or s.buyer_id = s.creator_id or s.creator_id is distinct from c.creator_id)
union all
select min(s.id), s.buyer_id, s.race_card_id, count(*)
from sales s where s.created_at >= $1
group by s.buyer_id, s.race_card_id having count(*) > 1
