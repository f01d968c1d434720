-- Tips: selections whose horse is scratched. They are shown as such, and are not sold.

-- Returns a horse's name without case, accents, punctuation and spaces, and without a country at its end. The same rule
-- as foldHorseName in src/domain/horse-key.ts. Two runners of a race may differ by country alone: horse_key, which keeps
-- it, tells them apart.
create function fold_horse_name(p_horse_name text) returns text language sql immutable parallel safe as $$
  select horse_key(regexp_replace(normalize(p_horse_name, NFKD), '\s*\([A-Za-z]{2,3}\)\s*$', ''))
$$;

-- Returns how many letters are wrong, missing, extra or exchanged with their neighbour. The same rule as measureDistance
-- in src/domain/horse-key.ts.
create function measure_name_distance(p_from text, p_to text) returns integer
language plpgsql immutable parallel safe as $$
declare
  v_older integer[];
  v_previous integer[] := array(select generate_series(0, length(p_to)));
  v_next integer[];
begin
  for v_row in 1 .. length(p_from) loop
    v_next := array[v_row];
    for v_column in 1 .. length(p_to) loop
      v_next := v_next || least(
        v_previous[v_column] + (substr(p_from, v_row, 1) <> substr(p_to, v_column, 1))::integer,
        v_previous[v_column + 1] + 1,
        v_next[v_column] + 1,
        case when v_row > 1 and v_column > 1 and substr(p_from, v_row, 1) = substr(p_to, v_column - 1, 1)
          and substr(p_from, v_row - 1, 1) = substr(p_to, v_column, 1) then v_older[v_column - 1] + 1 end);
    end loop;
    v_older := v_previous;
    v_previous := v_next;
  end loop;
  return v_previous[length(p_to) + 1];
end $$;

-- Returns the number of the declared runner that was tipped, or null. The same rule as findRunner in
-- src/domain/settlement.ts: the runner with the name or, if the name is only misspelt, the one with the number.
create function find_tipped_runner(
  p_race_day uuid, p_race_number smallint, p_horse_number smallint, p_horse_name text
) returns smallint language plpgsql stable parallel safe as $$
declare
  v_folded text := fold_horse_name(p_horse_name);
  v_named smallint[];
  v_numbered text;
  v_distance integer;
begin
  v_named := array(select u.number from runners u where u.race_day_id = p_race_day
    and u.race_number = p_race_number and v_folded <> '' and fold_horse_name(u.horse_name) = v_folded);
  if p_horse_number = any (v_named) then return p_horse_number; end if;
  if cardinality(v_named) > 0 then
    return case when cardinality(v_named) = 1 then v_named[1] end;
  end if;
  select fold_horse_name(u.horse_name) into v_numbered from runners u
  where u.race_day_id = p_race_day and u.race_number = p_race_number and u.number = p_horse_number;
  if v_folded = '' or coalesce(v_numbered, '') = '' then return null; end if;
  v_distance := measure_name_distance(v_folded, v_numbered);
  if v_distance > (case when least(length(v_folded), length(v_numbered)) <= 3 then 0
      when least(length(v_folded), length(v_numbered)) <= 5 then 1
      when least(length(v_folded), length(v_numbered)) <= 10 then 2 else 3 end)
    or exists (select from runners u where u.race_day_id = p_race_day and u.race_number = p_race_number
      and u.number <> p_horse_number
      and measure_name_distance(v_folded, fold_horse_name(u.horse_name)) < v_distance) then
    return null;
  end if;
  return p_horse_number;
end $$;

-- The tips whose horse was scratched. Derived from runners: triggers update the rows in the transaction that changes
-- the runners. A row stays when the horse runs after all, so that buyers who were told of the scratching are told again.
create table tip_scratchings (
  tip_id uuid primary key references tips,
  race_card_id uuid not null references race_cards,
  -- Null if the horse runs after all.
  scratched_at timestamptz,
  -- What the last email to the buyers said.
  is_emailed boolean not null default false,
  emailed_at timestamptz
);
create index tip_scratchings_race_card on tip_scratchings (race_card_id);
create index tip_scratchings_waiting on tip_scratchings (race_card_id)
  where (scratched_at is not null) <> is_emailed;

-- Replaces the function of 0007-tips.sql. Scratched races are not sold.
create or replace function compute_offer(p_card uuid) returns setof race_card_offers
language sql stable as $$
  select c.id, c.creator_id, c.race_date, k.suspended_at is not null, o.tip_ids, o.off_times,
    assumed_off_at(c.race_date, o.reported_off_at, o.entered_off_at)
  from race_cards c join creators k on k.user_id = c.creator_id
  cross join lateral (
    select coalesce(array_agg(sold.id order by sold.race_number), '{}') as tip_ids,
      coalesce(array_agg(sold.off_at order by sold.off_at) filter (where sold.off_at is not null), '{}')
        as off_times,
      max(sold.reported_off_at) as reported_off_at, max(sold.entered_off_at) as entered_off_at
    from (
      select t.id, t.race_number, t.entered_off_at, r.off_at as reported_off_at,
        coalesce(r.off_at, t.entered_off_at) as off_at
      from tips t left join race_off_times r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = t.race_number
      where t.race_card_id = c.id and t.hidden_at is null and t.result is distinct from 'void'
        and not exists (select from tip_scratchings x where x.tip_id = t.id and x.scratched_at is not null)
    ) sold
  ) o
  where c.id = p_card
$$;

-- Replaces the function of 0007-tips.sql. Adds when the horse was scratched.
create or replace function opened_tips(p_card uuid, p_opened_at timestamptz) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
        'id', t.id, 'raceNumber', t.race_number,
        'offAt', coalesce(r.off_at, t.entered_off_at),
        'horseNumber', t.horse_number, 'horseName', t.horse_name, 'tipType', t.tip_type,
        'confidence', t.confidence, 'analysis', t.analysis, 'result', t.result,
        'isClaim', t.is_claim, 'isOfficial', t.settlement_version is not null,
        'claimedResult', t.claimed_result, 'isLate', t.is_late, 'publishedAt', t.published_at,
        'scratchedAt', x.scratched_at
      ) order by t.race_number), '[]')
    from tips t
    join race_cards c on c.id = t.race_card_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    left join tip_scratchings x on x.tip_id = t.id
    where t.race_card_id = p_card and (t.hidden_at is null or t.hidden_at > p_opened_at));
end $$;

-- Returns when the horse of each tip of these races was scratched; null while it runs. Leaves out races in which no
-- horse was ever scratched.
create function compute_scratchings(p_race_days uuid[], p_race_numbers smallint[])
returns table (tip_id uuid, race_card_id uuid, scratched_at timestamptz) language sql stable as $$
  select t.id, t.race_card_id, u.scratched_at
  from (select distinct * from unnest(p_race_days, p_race_numbers) as x (race_day_id, race_number)) x
  join race_days d on d.id = x.race_day_id
  join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
  join tips t on t.race_card_id = c.id and t.race_number = x.race_number
  left join runners u on u.race_day_id = x.race_day_id and u.race_number = x.race_number
    and u.scratched_at is not null
    and u.number = find_tipped_runner(x.race_day_id, x.race_number, t.horse_number, t.horse_name)
  where exists (select from runners s where s.race_day_id = x.race_day_id and s.race_number = x.race_number
      and s.scratched_at is not null)
    or exists (select from tip_scratchings s where s.tip_id = t.id)
$$;

-- Updates the scratchings of these races, which are passed in two parallel arrays, and the offers of their race cards.
create function update_scratchings(p_race_days uuid[], p_race_numbers smallint[]) returns void
language plpgsql as $$
declare
  v_cards uuid[];
begin
  with changed as (
    insert into tip_scratchings as s (tip_id, race_card_id, scratched_at)
    select n.tip_id, n.race_card_id, n.scratched_at from compute_scratchings(p_race_days, p_race_numbers) n
    where n.scratched_at is not null or exists (select from tip_scratchings x where x.tip_id = n.tip_id)
    order by n.tip_id
    on conflict (tip_id) do update set scratched_at = excluded.scratched_at
      where s.scratched_at is distinct from excluded.scratched_at
    returning s.race_card_id
  )
  select array_agg(distinct race_card_id) into v_cards from changed;
  if v_cards is not null then perform refresh_offers(v_cards); end if;
end $$;

-- Trigger function of runners. The row trigger runners_lock_race has locked the races, so no tip is added meanwhile.
create function apply_scratchings() returns trigger language plpgsql as $$
begin
  perform update_scratchings(array_agg(race_day_id), array_agg(race_number))
  from (select distinct race_day_id, race_number from changed_runners) changed having count(*) > 0;
  return null;
end $$;
create trigger runners_insert_apply_scratchings after insert on runners
  referencing new table as changed_runners for each statement execute function apply_scratchings();
create trigger runners_update_apply_scratchings after update on runners
  referencing new table as changed_runners for each statement execute function apply_scratchings();
create trigger runners_delete_apply_scratchings after delete on runners
  referencing old table as changed_runners for each statement execute function apply_scratchings();

-- Horses that were scratched before. Buyers are told of those in races of today and later.
select update_scratchings(array_agg(race_day_id), array_agg(race_number))
from runners where scratched_at is not null having count(*) > 0;
update tip_scratchings s set is_emailed = true, emailed_at = now()
from race_cards c where c.id = s.race_card_id and c.race_date < (now() at time zone 'Africa/Johannesburg')::date;
