-- A tip is late unless it was published before the reported off time of its race. Without a reported off
-- time, a tip published from 11:00 on the race date is late.
with reported as materialized (
  select venue_id, race_date from race_days where reported_at >= $1
), touched as (
  select race_card_id from batches where created_at >= $1
  union
  select c.id from reported d
  join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
)
select t.id as tip_id, t.is_late, t.published_at, r.off_at as reported_off_at
from touched k
join race_cards c on c.id = k.race_card_id
join tips t on t.race_card_id = c.id
left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
  and r.race_number = t.race_number
where t.is_late <> is_late_tip(c.race_date, r.off_at, t.published_at)
