-- All batches of a race card belong to its creator. Race numbers are from 1 to 12 and occur once.
select t.race_card_id, t.race_number, count(*) as tips, 'invalid or duplicate race number' as problem
from tips t where t.published_at >= $1
group by t.race_card_id, t.race_number
having count(*) > 1 or t.race_number not between 1 and 12
union all
select b.race_card_id, null, null, 'the batch belongs to another creator'
from batches b join race_cards c on c.id = b.race_card_id
where b.created_at >= $1 and b.creator_id <> c.creator_id
