-- The shares of a sale add up to exactly 4.00. They belong to the tips that were on the race card at the
-- time of the sale.
select s.id as sale_id, sum_elements(s.shares_hundredths) as hundredths, cardinality(s.tip_ids) as tips,
  (select count(*) from tips t where t.id = any (s.tip_ids) and t.race_card_id = s.race_card_id
    and coalesce(t.newest_sale_id, 0) < s.id) as tips_on_the_race_card
from sales s
where s.created_at >= $1
  and (sum_elements(s.shares_hundredths) <> 400
    or cardinality(s.shares_hundredths) <> cardinality(s.tip_ids)
    or cardinality(s.tip_ids) = 0
    or (select count(*) from tips t where t.id = any (s.tip_ids) and t.race_card_id = s.race_card_id
      and coalesce(t.newest_sale_id, 0) < s.id) <> cardinality(s.tip_ids))
