-- No race is added to a void race card after its sales were refunded.
with added as materialized (
  select id, race_card_id, created_at from batches where created_at >= $1
)
select b.id as batch, b.race_card_id, min(t.created_at) as refunded_at
from added b
join sales s on s.race_card_id = b.race_card_id
join ledger_transactions t on t.kind = 'reversal' and t.reference = 'void:' || s.id
where t.created_at < b.created_at
group by b.id, b.race_card_id
