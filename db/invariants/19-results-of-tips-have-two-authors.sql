-- A result that an admin entered for a single tip, or by voiding its race card, was confirmed at the same instant. It is
-- marked as the work of one person if one person entered and confirmed it, or if one of its authors has tips in the race.
select t.id as tip_id, t.race_card_id, t.result, r.id as tip_result_id, r.entered_by, r.confirmed_by
from tips t
join race_cards c on c.id = t.race_card_id
left join tips_with_own_result o on o.tip_id = t.id
left join tip_results r on r.id = o.tip_result_id
where t.settled_at >= $1 and t.settled_by is not null and t.result is not null and not t.is_claim
  and t.settlement_version is null
  and (r.id is null or (not r.is_entered_by_one_person and (
    r.confirmed_by = r.entered_by
    or has_tips_in_races(r.entered_by, c.venue_id, c.race_date, race_numbers_of_tips(r.race_card_id, r.tip_id))
    or has_tips_in_races(r.confirmed_by, c.venue_id, c.race_date, race_numbers_of_tips(r.race_card_id, r.tip_id)))))
