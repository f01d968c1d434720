-- Tips: who may enter and confirm results, and which results are marked as the work of one person.

-- Returns true if a user has a tip, hidden or not, in one of these races.
create function has_tips_in_races(p_user uuid, p_venue uuid, p_race_date date, p_race_numbers smallint[])
returns boolean language sql stable parallel safe as $$
  select exists (
    select from race_cards c join tips t on t.race_card_id = c.id
    where c.creator_id = p_user and c.venue_id = p_venue and c.race_date = p_race_date
      and t.race_number = any (p_race_numbers))
$$;

-- Returns the admins who may enter and confirm the results of these races: those without a tip in them or, if every
-- admin has one, all. With fewer than two without a tip, a result is the work of one person and is marked.
create function list_result_authors(p_venue uuid, p_race_date date, p_race_numbers smallint[])
returns table (user_id uuid, is_one_person boolean) language sql stable parallel safe as $$
  with admins as (
    select r.user_id, has_tips_in_races(r.user_id, p_venue, p_race_date, p_race_numbers) as has_tips
    from user_roles r join users u on u.id = r.user_id
    where r.role = 'admin' and u.closed_at is null
  ), independent as (
    select count(*) as admins from admins where not has_tips
  )
  select a.user_id, i.admins < 2 from admins a cross join independent i
  where not a.has_tips or i.admins = 0
$$;

-- Replaces the function of 0005-racing.sql: require_result_authors checks who confirms.
create or replace function refuse_result_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.confirmed_at is not null and new.entered_by is not null then
      raise exception 'a result must be entered before it is confirmed' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if old.confirmed_at is not null then
    raise exception 'a confirmed result cannot change: % refused', lower(tg_op)
      using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if new.confirmed_at is null
    or to_jsonb(new) - '{confirmed_by,confirmed_at,is_entered_by_one_person}'::text[]
      <> to_jsonb(old) - '{confirmed_by,confirmed_at,is_entered_by_one_person}'::text[] then
    raise exception 'a result can change only when it is confirmed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Trigger function of race_results: refuses an author with tips in the race while two admins have none, and a
-- confirmation by the person who made the entry unless no two admins are without tips. Marks a result as the work of
-- one person if nobody is known to have entered it, if no two admins are without tips, or if the first author has tips.
create function require_result_authors() returns trigger language plpgsql as $$
declare
  v_author uuid := case when new.confirmed_by is null then new.entered_by else new.confirmed_by end;
  v_venue uuid;
  v_race_date date;
  v_races smallint[] := array[new.race_number];
  v_is_one_person boolean;
begin
  if v_author is null then
    return new;
  end if;
  select d.venue_id, d.race_date into v_venue, v_race_date from race_days d where d.id = new.race_day_id;
  select a.is_one_person into v_is_one_person
  from list_result_authors(v_venue, v_race_date, v_races) a where a.user_id = v_author;
  if not found and has_tips_in_races(v_author, v_venue, v_race_date, v_races) then
    raise exception 'a result must be entered and confirmed by admins without tips in the race'
      using errcode = 'restrict_violation';
  end if;
  if new.confirmed_by is null then
    return new;
  end if;
  if new.confirmed_by = new.entered_by and new.is_entered_by_one_person and v_is_one_person is not true then
    raise exception 'a result must be confirmed by another admin' using errcode = 'restrict_violation';
  end if;
  new.is_entered_by_one_person := new.is_entered_by_one_person or new.entered_by is null
    or v_is_one_person is true or has_tips_in_races(new.entered_by, v_venue, v_race_date, v_races);
  return new;
end $$;
-- Fires after race_results_immutable, because triggers fire in the order of their names.
create trigger race_results_people before insert or update of entered_by, confirmed_by on race_results
  for each row execute function require_result_authors();

alter table race_results drop constraint race_results_two_people;

-- The surface that the first author entered. Null if the race was not run, or if its surface was not reported.
alter table race_results add column surface text check (surface in ('turf', 'polytrack', 'sand'));

-- Results of before. Those that nobody is known to have entered, or with an author who has tips in the race, are
-- marked.
alter table race_results disable trigger user;
update race_results r set surface = x.surface
from races x
where x.race_day_id = r.race_day_id and x.race_number = r.race_number and x.surface is not null
  and r.status in ('unofficial', 'official');
update race_results r set is_entered_by_one_person = true
from race_days d
where d.id = r.race_day_id and r.confirmed_by is not null and not r.is_entered_by_one_person
  and (r.entered_by is null
    or has_tips_in_races(r.entered_by, d.venue_id, d.race_date, array[r.race_number])
    or has_tips_in_races(r.confirmed_by, d.venue_id, d.race_date, array[r.race_number]));
alter table race_results enable trigger user;
update creator_records n set has_one_person_results = true
where not n.has_one_person_results and exists (
  select from race_cards c join tips t on t.race_card_id = c.id
  join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date
    and o.race_number = t.race_number and o.version = t.settlement_version
  where c.creator_id = n.creator_id and o.is_entered_by_one_person);

alter table race_results add constraint race_results_two_people check (
  (not is_entered_by_one_person or confirmed_by is not null)
  and (is_entered_by_one_person or confirmed_by is null or confirmed_by is distinct from entered_by));
