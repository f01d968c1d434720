-- Every ledger transaction has at least two postings. Their sum is zero in each unit, and no posting is
-- zero.
select t.id as transaction_id, p.unit, sum(p.amount) as sum, count(p.id) as postings
from ledger_transactions t left join ledger_postings p on p.transaction_id = t.id
where t.created_at >= $1
group by t.id, p.unit
having sum(p.amount) is distinct from 0 or count(p.id) < 2 or bool_or(p.amount = 0)
