-- A card holds one creator, one venue, one day; its race numbers go from 1 to 12, each once.
select t.race_card_id, t.race_number, count(*) as tips, 'race number' as problem
from tips t where t.published_at >= $1
group by t.race_card_id, t.race_number
having count(*) > 1 or t.race_number not between 1 and 12
union all
select b.race_card_id, null, null, 'a batch of another creator'
from batches b join race_cards c on c.id = b.race_card_id
where b.created_at >= $1 and b.creator_id <> c.creator_id
