-- Tips: which horse a tip is on where no runners were declared.

-- True if no runners were declared, so that the names of the placed horses were entered with their numbers. The race's
-- tips are then settled by settle_by_entered_names.
alter table race_results add column has_entered_names boolean not null default false,
  add constraint race_results_entered_names check (not has_entered_names or starters is not null);

alter table tip_settlements
  drop constraint tip_settlements_void_reason_check,
  add constraint tip_settlements_void_reason_check check (void_reason in
    ('abandoned', 'race-void', 'walk-over', 'moved-surface', 'non-runner', 'no-places', 'horse-unclear'));

-- Returns true if the names agree: they are equal when folded, or only misspelt, and none of the other names is nearer.
-- The same rule as isSameHorseName in src/domain/horse-key.ts.
create function is_same_horse_name(p_horse_name text, p_runner_name text, p_other_names text[]) returns boolean
language plpgsql immutable parallel safe as $$
declare
  v_from text := fold_horse_name(p_horse_name);
  v_to text := fold_horse_name(coalesce(p_runner_name, ''));
  v_shorter integer := least(length(v_from), length(v_to));
  v_distance integer;
begin
  if v_shorter = 0 then return false; end if;
  v_distance := measure_name_distance(v_from, v_to);
  return v_distance <= (case when v_shorter <= 3 then 0 when v_shorter <= 5 then 1 when v_shorter <= 10 then 2 else 3 end)
    and not exists (select from unnest(p_other_names) n
      where measure_name_distance(v_from, fold_horse_name(n)) < v_distance);
end $$;

-- Replaces the function of 0030-tips.sql with the same rule.
create or replace function find_tipped_runner(
  p_race_day uuid, p_race_number smallint, p_horse_number smallint, p_horse_name text
) returns smallint language plpgsql stable parallel safe as $$
declare
  v_folded text := fold_horse_name(p_horse_name);
  v_named smallint[];
begin
  v_named := array(select u.number from runners u where u.race_day_id = p_race_day
    and u.race_number = p_race_number and v_folded <> '' and fold_horse_name(u.horse_name) = v_folded);
  if p_horse_number = any (v_named) then return p_horse_number; end if;
  if cardinality(v_named) > 0 then
    return case when cardinality(v_named) = 1 then v_named[1] end;
  end if;
  return (
    select u.number from runners u
    where u.race_day_id = p_race_day and u.race_number = p_race_number and u.number = p_horse_number
      and is_same_horse_name(p_horse_name, u.horse_name, array(select o.horse_name from runners o
        where o.race_day_id = p_race_day and o.race_number = p_race_number and o.number <> p_horse_number)));
end $$;

-- Returns how an official result with entered names settles a tip on a horse: the outcome, why it is void, and the
-- horse's position. The same rule as settleTip in src/domain/settlement.ts, apart from changes of surface.
create function settle_by_entered_names(
  p_race_day uuid, p_race_number smallint, p_version smallint, p_tip_type text, p_horse_number smallint,
  p_horse_name text
) returns table (outcome text, void_reason text, "position" smallint)
language sql stable parallel safe as $$
  with result as (
    select r.starters, r.places_paid from race_results r
    where r.race_day_id = p_race_day and r.race_number = p_race_number and r.version = p_version
  ), entered as (
    select u.number, u.horse_name, u.outcome, u.position, u.position <= greatest(r.places_paid, 1) as is_placed
    from result r cross join result_runners u
    where u.race_day_id = p_race_day and u.race_number = p_race_number and u.version = p_version
  ), compared as (
    select e.position, e.number = p_horse_number as has_number,
      is_same_horse_name(p_horse_name, e.horse_name,
        array(select o.horse_name from entered o where o.is_placed and o.number <> e.number)) as has_name
    from entered e where e.is_placed
  ), found as (
    select min(c.position) filter (where c.has_number and c.has_name) as position,
      coalesce(bool_or(c.has_number or c.has_name), false) as is_partly,
      exists (select from entered e where e.number = p_horse_number and e.outcome = 'non-runner') as is_non_runner
    from compared c
  ), reasoned as (
    select f.position, r.places_paid, case
        when f.is_non_runner then 'non-runner'
        when f.is_partly and f.position is null then 'horse-unclear'
        when r.starters = 1 then 'walk-over'
        when p_tip_type = 'place' and r.places_paid = 0 then 'no-places'
      end as void_reason
    from found f cross join result r
  )
  select case
      when x.void_reason is not null then 'void'
      when x.position is null then 'lost'
      when p_tip_type = 'place' then case when x.position <= x.places_paid then 'won' else 'lost' end
      when x.position = 1 then 'won'
      when p_tip_type = 'each-way' and x.position <= x.places_paid then 'placed'
      else 'lost'
    end,
    x.void_reason, case when x.void_reason is null then x.position end
  from reasoned x
$$;
