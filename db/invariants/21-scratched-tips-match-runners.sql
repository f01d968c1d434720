-- A tip whose horse is a runner of its race is marked as scratched exactly while that runner is.
with reported as (
  select array_agg(r.race_day_id) as race_days, array_agg(r.race_number) as race_numbers
  from race_days d join races r on r.race_day_id = d.id where d.reported_at >= $1
)
select n.tip_id, n.scratched_at as runner_scratched_at, s.scratched_at
from reported cross join lateral compute_scratchings(race_days, race_numbers) n
left join tip_scratchings s on s.tip_id = n.tip_id
where n.scratched_at is distinct from s.scratched_at
