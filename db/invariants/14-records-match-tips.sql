-- The track record of each creator (tips, settled, won) matches their tips. Void tips do not count. Late
-- tips, and tips with only a claim of the tipster, count as tips but not as results. A record is marked if and only if
-- one of the tips follows an official result that is the work of one person, or has a result that one admin entered
-- for it alone or by voiding its race card.
with touched as (
  select c.creator_id from tips t join race_cards c on c.id = t.race_card_id
  where t.published_at >= $1
  union
  select c.creator_id from tips t join race_cards c on c.id = t.race_card_id
  where t.settled_at >= $1
), actual as (
  select k.creator_id,
    count(t.id) filter (where t.result is distinct from 'void') as tips,
    count(t.id) filter (where t.result in ('won', 'lost') and not t.is_late and not t.is_claim) as settled,
    count(t.id) filter (where t.result = 'won' and not t.is_late and not t.is_claim) as won,
    coalesce(bool_or(o.is_entered_by_one_person), false) or coalesce(bool_or(
      u.is_entered_by_one_person), false) as has_one_person_results
  from touched k
  join race_cards c on c.creator_id = k.creator_id
  join tips t on t.race_card_id = c.id
  left join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date
    and o.race_number = t.race_number and o.version = t.settlement_version
  left join tips_with_own_result u on u.tip_id = t.id and u.is_entered_by_one_person
  group by k.creator_id
)
select n.creator_id, r.tips as stored_tips, n.tips, r.settled as stored_settled, n.settled,
  r.won as stored_won, n.won, r.has_one_person_results as stored_mark, n.has_one_person_results
from actual n left join creator_records r on r.creator_id = n.creator_id
where (r.tips, r.settled, r.won) is distinct from (n.tips::integer, n.settled::integer, n.won::integer)
  or n.has_one_person_results is distinct from r.has_one_person_results
