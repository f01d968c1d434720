-- A tip is late unless it was published before the off of its race: that of the official result or, until one is
-- confirmed, the reported one. Without a known off, a tip published from 11:00 on the race date is late. One whose off
-- was learnt later has to be published before 11:00, or 120 minutes before that off.
with changed as materialized (
  select venue_id, race_date from race_days where reported_at >= $1
  union
  select venue_id, race_date from official_results where confirmed_at >= $1
), touched as (
  select race_card_id from batches where created_at >= $1
  union
  select c.id from changed d
  join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
)
select t.id as tip_id, t.is_late, t.published_at, o.off_at as official_off_at, r.off_at as reported_off_at
from touched k
join race_cards c on c.id = k.race_card_id
join tips t on t.race_card_id = c.id
left join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date
left join races r on r.race_day_id = d.id and r.race_number = t.race_number
left join official_results o on o.race_day_id = d.id and o.race_number = t.race_number
cross join lateral (
  select coalesce(o.off_at, r.off_at) as off_at,
    (c.race_date + time '11:00') at time zone 'Africa/Johannesburg' as eleven
) known
where t.is_late <> case
  when known.off_at is null then t.published_at >= known.eleven
  when t.was_off_known then t.published_at >= known.off_at
  else t.published_at >= known.off_at or t.published_at >= known.eleven
    and t.published_at >= known.off_at - interval '120 minutes' end
