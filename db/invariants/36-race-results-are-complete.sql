-- The confirmed versions of a race's result are numbered from 1 without gaps, and only the next number can be
-- unconfirmed. The result of a race that was run has a winner, no gaps in its positions, and as many runners that
-- started as `starters` states, or at most as many without declared runners. Either it has the name of every runner, or
-- no runners were declared and it has the names of the horses for which places are paid, at least of the winner. Results
-- from before names were entered have none. Unless the race day was reported again, a result has the declared runners.
-- The result of a race that was not run has no runners. A result is marked as the work of one person if one person
-- entered and confirmed it, if nobody is known to have entered it, or if one of its authors has tips in the race.
with touched as (
  select race_day_id, race_number from race_results where entered_at >= $1
  union
  select race_day_id, race_number from race_results where confirmed_at >= $1
), results as (
  select r.*, row_number() over (partition by r.race_day_id, r.race_number order by r.version) as expected_version,
    max(r.version) over (partition by r.race_day_id, r.race_number) as newest_version
  from touched k join race_results r using (race_day_id, race_number)
), counted as (
  select r.race_day_id, r.race_number, r.version, count(u.number) as runners,
    count(u.number) filter (where u.outcome <> 'non-runner') as started,
    count(u.horse_name) as named,
    count(u.number) filter (where u.position <= greatest(r.places_paid, 1) and u.horse_name is null) as unnamed,
    count(u.number) filter (where u.position = 1) as winners,
    count(u.number) filter (where u.position <> 1 + (
      select count(*) from result_runners f where f.race_day_id = u.race_day_id and f.race_number = u.race_number
        and f.version = u.version and f.position < u.position)) as misplaced
  from results r left join result_runners u using (race_day_id, race_number, version)
  group by 1, 2, 3
)
select r.race_day_id, r.race_number, r.version, r.status, r.starters, r.has_entered_names, c.runners, c.started, c.named,
  c.unnamed, c.winners, c.misplaced
from results r join counted c using (race_day_id, race_number, version) join race_days d on d.id = r.race_day_id
where r.version <> r.expected_version
  or (r.confirmed_at is null and r.version <> r.newest_version)
  or c.misplaced > 0
  or (r.status in ('abandoned', 'void') and c.runners > 0)
  or (r.status in ('unofficial', 'official') and c.winners = 0)
  or (r.status in ('unofficial', 'official')
    and case when r.has_entered_names then c.unnamed > 0 or c.started > r.starters
      when c.named > 0 then c.named <> c.runners or c.started <> r.starters
      else c.started > r.starters end)
  or (r.status in ('unofficial', 'official') and d.reported_at < r.entered_at
    and exists (select from runners n where n.race_day_id = r.race_day_id and n.race_number = r.race_number)
    and (r.has_entered_names or exists (
      select from result_runners u where u.race_day_id = r.race_day_id and u.race_number = r.race_number
        and u.version = r.version and not exists (
          select from runners n where n.race_day_id = u.race_day_id and n.race_number = u.race_number
            and n.number = u.number and n.horse_name = u.horse_name))))
  or (r.confirmed_by is not null and not r.is_entered_by_one_person and (
    r.entered_by is null or r.confirmed_by = r.entered_by
    or has_tips_in_races(r.entered_by, d.venue_id, d.race_date, array[r.race_number])
    or has_tips_in_races(r.confirmed_by, d.venue_id, d.race_date, array[r.race_number])))
