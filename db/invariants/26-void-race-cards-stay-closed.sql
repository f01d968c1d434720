-- No race is added to a race card after the race card became void.
with added as materialized (
  select id, race_card_id, created_at from batches where created_at >= $1
)
select b.id as batch, b.race_card_id, v.voided_at
from added b
join void_race_cards v on v.race_card_id = b.race_card_id
where v.voided_at < b.created_at
