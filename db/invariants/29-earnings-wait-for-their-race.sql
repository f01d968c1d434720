-- The earning of a sale is payable 14 days after the sale, but not before the day after its race date. No payout
-- contains an earning that was not payable when the payout was requested.
select s.id::text as subject, 'the earning is payable before its race was run or within 14 days of the sale' as problem
from sales s join earnings e on e.sale_id = s.id join race_cards c on c.id = s.race_card_id
where s.created_at >= $1 and e.payout_id is null
  and e.payable_at < greatest(s.created_at + interval '14 days',
    (c.race_date + 1)::timestamp at time zone 'Africa/Johannesburg')
union all
select o.id::text, 'it contains an earning that was not payable when it was requested'
from payouts o join earnings e on e.payout_id = o.id
where o.requested_at >= $1 and e.payable_at > o.requested_at
