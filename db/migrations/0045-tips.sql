-- Tips: the settled tips, from which track records are computed.

-- The tips with a result that is not a claim: from the official result of their race, with its settlement, or entered
-- by admins for the tip or its race card, without one. Other features read settled tips from this view. Hidden tips are
-- in it, and void and late ones, which do not count. It has neither selections nor analyses, so it reveals none. A query
-- reads only the tables of the columns that it uses.
create view settled_tips as
select t.id, c.creator_id, t.race_card_id, c.venue_id, c.race_date, t.race_number, t.entered_off_at,
  q.off_at as actual_off_at, r.distance_metres, r.surface, t.tip_type, t.confidence, t.is_late, t.hidden_at, t.result,
  -- Null without an official result.
  s.outcome, s.win_stake_cents, s.win_starting_price_return_cents, s.win_tote_return_cents, s.place_stake_cents,
  s.place_tote_return_cents, s.expected_win, s.favourite_return_cents
from race_cards c
join tips t on t.race_card_id = c.id and t.result is not null and not t.is_claim
left join tip_settlements s on s.tip_id = t.id and s.version = t.settlement_version
left join race_results q on q.race_day_id = s.race_day_id and q.race_number = s.race_number and q.version = s.version
left join races r on r.race_day_id = s.race_day_id and r.race_number = s.race_number;
