-- Tips: a scratched horse that a later list leaves out, or whose number it gives to another horse, stays scratched.

-- Replaces the function of 0030-tips.sql, for which such a horse ran after all. Returns when the horse of each tip of
-- these races was scratched; null while it runs. A horse that is not among the runners keeps what was last known. Leaves
-- out races in which no horse was ever scratched.
create or replace function compute_scratchings(p_race_days uuid[], p_race_numbers smallint[])
returns table (tip_id uuid, race_card_id uuid, scratched_at timestamptz) language sql stable as $$
  select t.id, t.race_card_id, case when u.number is null then k.scratched_at else u.scratched_at end
  from (select distinct * from unnest(p_race_days, p_race_numbers) as x (race_day_id, race_number)) x
  join race_days d on d.id = x.race_day_id
  join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
  join tips t on t.race_card_id = c.id and t.race_number = x.race_number
  left join tip_scratchings k on k.tip_id = t.id
  left join runners u on u.race_day_id = x.race_day_id and u.race_number = x.race_number
    and u.number = find_tipped_runner(x.race_day_id, x.race_number, t.horse_number, t.horse_name)
  where k.tip_id is not null
    or exists (select from runners s where s.race_day_id = x.race_day_id and s.race_number = x.race_number
      and s.scratched_at is not null)
$$;
