-- Tips: two admins enter the result of a single tip, and the voiding of a race card.

-- What admins entered for one tip, or to void all tips of a race card. It changes the tips once another admin has
-- entered the same. Unconfirmed rows can be deleted, confirmed ones never change.
create table tip_results (
  id uuid primary key default new_id(),
  race_card_id uuid not null references race_cards,
  -- Null: all tips of the race card.
  tip_id uuid references tips,
  result text not null,
  reason text not null,
  entered_by uuid not null references users,
  entered_at timestamptz not null,
  confirmed_by uuid references users,
  -- The settled_at of the tips that it changed.
  confirmed_at timestamptz,
  is_entered_by_one_person boolean not null default false,
  constraint tip_results_valid check (result = 'void' or (result in ('won', 'lost') and tip_id is not null)),
  constraint tip_results_confirmation check ((confirmed_by is null) = (confirmed_at is null)),
  constraint tip_results_two_people check (
    (not is_entered_by_one_person or confirmed_by is not null)
    and (is_entered_by_one_person or confirmed_by is distinct from entered_by))
);
create unique index tip_results_unconfirmed on tip_results (race_card_id, tip_id) nulls not distinct
  where confirmed_at is null;
create index tip_results_race_card on tip_results (race_card_id, confirmed_at);
create index tip_results_tip on tip_results (tip_id);

-- The tips whose result admins entered for them alone or by voiding their race card.
create view tips_with_own_result as
select t.id as tip_id, t.race_card_id, r.id as tip_result_id, r.is_entered_by_one_person
from tips t
join tip_results r on r.race_card_id = t.race_card_id and r.confirmed_at = t.settled_at
  and r.confirmed_by = t.settled_by and (r.tip_id = t.id or r.tip_id is null)
where t.result = r.result and not t.is_claim and t.settlement_version is null;

-- Returns the race numbers of a tip, or of all tips of a race card if p_tip is null.
create function race_numbers_of_tips(p_card uuid, p_tip uuid) returns smallint[]
language sql stable parallel safe as $$
  select array_agg(t.race_number) from tips t where t.race_card_id = p_card and (p_tip is null or t.id = p_tip)
$$;

-- Results of before. One admin entered them.
insert into tip_results (race_card_id, tip_id, result, reason, entered_by, entered_at, confirmed_by, confirmed_at,
  is_entered_by_one_person)
select t.race_card_id, t.id, t.result, coalesce((
    select e.reason from result_entries e where e.tip_id = t.id order by e.id desc limit 1), ''),
  t.settled_by, t.settled_at, t.settled_by, t.settled_at, true
from tips t
where t.result is not null and not t.is_claim and t.settlement_version is null
  and t.settled_by is not null and t.settled_at is not null;
update creator_records n set has_one_person_results = entered.by_one_person
from (
  select c.creator_id, bool_or(o.is_entered_by_one_person) is true or bool_or(r.tip_id is not null) as by_one_person
  from race_cards c join tips t on t.race_card_id = c.id
  left join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date
    and o.race_number = t.race_number and o.version = t.settlement_version
  left join tips_with_own_result r on r.tip_id = t.id
  group by c.creator_id
) entered
where entered.creator_id = n.creator_id and n.has_one_person_results <> entered.by_one_person;

-- Trigger function of race_results and tip_results: refuses an author with tips in the races while two admins have
-- none, and a confirmation by the person who made the entry unless no two admins are without tips. Marks a result as
-- the work of one person if nobody is known to have entered it, if no two admins are without tips, or if the first
-- author has tips. Replaces the function of 0034-tips.sql, which was for race_results only.
create or replace function require_result_authors() returns trigger language plpgsql as $$
declare
  v_author uuid := case when new.confirmed_by is null then new.entered_by else new.confirmed_by end;
  v_venue uuid;
  v_race_date date;
  v_races smallint[];
  v_is_one_person boolean;
begin
  if v_author is null then
    return new;
  end if;
  if tg_table_name = 'race_results' then
    select d.venue_id, d.race_date into v_venue, v_race_date from race_days d where d.id = new.race_day_id;
    v_races := array[new.race_number];
  else
    select c.venue_id, c.race_date into v_venue, v_race_date from race_cards c where c.id = new.race_card_id;
    v_races := race_numbers_of_tips(new.race_card_id, new.tip_id);
  end if;
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

create trigger tip_results_immutable before insert or update or delete on tip_results
  for each row execute function refuse_result_change();
-- Fires after tip_results_immutable, because triggers fire in the order of their names.
create trigger tip_results_people before insert or update of entered_by, confirmed_by on tip_results
  for each row execute function require_result_authors();
create trigger tip_results_no_truncate before truncate on tip_results
  for each statement execute function refuse_change();

-- Trigger function of tips: refuses a result that an admin enters for a tip and that was not confirmed as such at the
-- same instant. Replaces the function of 0036-tips.sql. The claim of a creator is not an official result.
create or replace function require_tip_result_author() returns trigger language plpgsql as $$
begin
  if not exists (
    select from tip_results r
    where r.race_card_id = new.race_card_id and (r.tip_id = new.id or r.tip_id is null)
      and r.result = new.result and r.confirmed_by = new.settled_by and r.confirmed_at = new.settled_at
  ) then
    raise exception 'the result of a tip must be confirmed before it is set' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
