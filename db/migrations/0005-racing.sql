-- Racing: venues, race days, runners and results.

create table venues (
  id uuid primary key default new_id(),
  name text not null check (length(btrim(name)) between 1 and 80),
  slug text not null unique check (slug ~ '^[a-z0-9-]+$'),
  location text not null check (length(btrim(location)) between 1 and 120),
  total_races integer not null check (total_races between 0 and 99),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index venues_name on venues (lower(name));

-- Going and weather of a venue on a day, as the operator or a data source reported them.
create table race_days (
  id uuid primary key default new_id(),
  venue_id uuid not null references venues,
  race_date date not null,
  going text check (going in ('Fast', 'Good', 'Soft', 'Heavy')),
  weather text check (weather in ('sunny', 'cloudy', 'rainy', 'windy')),
  weather_description text,
  temperature_celsius smallint check (temperature_celsius between -20 and 55),
  humidity_percent smallint check (humidity_percent between 0 and 100),
  wind_kmh smallint check (wind_kmh between 0 and 250),
  source text not null,
  reported_at timestamptz not null,
  -- The number of reports so far. A form submits the version that it was opened with, so that it does not
  -- overwrite a report saved in the meantime.
  version integer not null default 1 check (version > 0),
  unique (venue_id, race_date)
);
create index race_days_date on race_days (race_date);
create index race_days_reported on race_days (reported_at);

-- Reported races. Changing their off times updates the lateness of tips (0007-tips.sql).
create table races (
  race_day_id uuid not null references race_days on delete cascade,
  race_number smallint not null check (race_number between 1 and 12),
  off_at timestamptz not null,
  name text check (length(btrim(name)) between 1 and 80),
  distance_metres smallint check (distance_metres between 400 and 6000),
  surface text check (surface in ('turf', 'polytrack', 'sand')),
  primary key (race_day_id, race_number)
);

-- Returns a horse's name in lower case with letters and digits only, so that different spellings of one name are
-- equal. The same rule as toHorseKey in src/domain/horse-key.ts.
create function horse_key(p_horse_name text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(p_horse_name, '[^A-Za-z0-9]', '', 'g'))
$$;

-- The declared runners of a race. A race with runners cannot be deleted.
create table runners (
  race_day_id uuid not null,
  race_number smallint not null,
  number smallint not null check (number between 1 and 30),
  horse_name text not null check (length(btrim(horse_name)) between 1 and 60),
  horse_key text not null generated always as (horse_key(horse_name)) stored check (horse_key <> ''),
  jockey text check (length(btrim(jockey)) between 1 and 60),
  trainer text check (length(btrim(trainer)) between 1 and 60),
  draw smallint check (draw between 1 and 30),
  scratched_at timestamptz,
  source text not null,
  reported_at timestamptz not null,
  primary key (race_day_id, race_number, number),
  -- Deferred, so that two runners can swap their numbers in one report.
  constraint runners_horse unique (race_day_id, race_number, horse_key) deferrable initially deferred,
  constraint runners_race foreign key (race_day_id, race_number) references races
);

-- Trigger function of runners: locks the race until the transaction ends, which serialises changes to runners
-- with new tips for their race (0007-tips.sql).
create function lock_race_of_runner() returns trigger language plpgsql as $$
begin
  perform from races where race_day_id = coalesce(new.race_day_id, old.race_day_id)
    and race_number = coalesce(new.race_number, old.race_number) for no key update;
  return coalesce(new, old);
end $$;
create trigger runners_lock_race before insert or update or delete on runners
  for each row execute function lock_race_of_runner();

-- What changed after a race or a runner was first reported. Append-only.
create table race_changes (
  id bigint generated always as identity primary key,
  race_day_id uuid not null references race_days,
  race_number smallint check (race_number between 1 and 12),
  number smallint check (number between 1 and 30),
  kind text not null check
    (kind in ('off', 'scratched', 'reinstated', 'jockey', 'going', 'surface', 'venue', 'abandoned')),
  old_value text,
  new_value text,
  source text not null,
  -- Null if the change came from a data source.
  actor_id uuid references users,
  created_at timestamptz not null,
  check (kind not in ('scratched', 'reinstated', 'jockey') or number is not null),
  check (kind not in ('off', 'surface', 'scratched', 'reinstated', 'jockey') or race_number is not null)
);
create index race_changes_day on race_changes (race_day_id, id desc);
create trigger race_changes_append_only before update or delete on race_changes
  for each row execute function refuse_change();
create trigger race_changes_no_truncate before truncate on race_changes
  for each statement execute function refuse_change();

-- The results of races as their source reported them. Append-only once confirmed: a correction is a new version
-- with a reason, and the newest confirmed version is the official result. Discarding an unconfirmed version deletes
-- its row. Its number is then reused, so the confirmed versions are numbered without gaps.
create table race_results (
  race_day_id uuid not null,
  race_number smallint not null,
  version smallint not null check (version > 0),
  -- Unique to this entry. The version number is reused if the entry is discarded.
  id uuid not null unique default new_id(),
  -- Unofficial: before the all-clear; cannot be confirmed. Void: a race that was run but does not count.
  status text not null check (status in ('unofficial', 'official', 'abandoned', 'void')),
  -- The actual off. Null if the race was not run.
  off_at timestamptz,
  -- The number of horses that started.
  starters smallint check (starters between 1 and 30),
  places_paid smallint not null check (places_paid between 0 and 6),
  source text not null check (length(btrim(source)) between 1 and 80),
  source_url text check (source_url ~ '^https?://' and length(source_url) <= 500),
  via text not null check (via in ('form', 'file', 'feed')),
  -- Null if nobody is known to have entered it: a feed, or a file imported on the command line.
  entered_by uuid references users,
  entered_at timestamptz not null,
  confirmed_by uuid references users,
  confirmed_at timestamptz,
  -- True if the only admin of the installation entered and confirmed the result.
  is_entered_by_one_person boolean not null default false,
  -- The reason for correcting the previous version.
  reason text not null default '',
  primary key (race_day_id, race_number, version),
  constraint race_results_race foreign key (race_day_id, race_number) references races,
  constraint race_results_source_known check (via = 'file' or (via = 'form') = (entered_by is not null)),
  constraint race_results_confirmation check ((confirmed_by is null) = (confirmed_at is null)),
  constraint race_results_two_people check
    (is_entered_by_one_person = (confirmed_by is not null and confirmed_by is not distinct from entered_by)),
  constraint race_results_unofficial check (status <> 'unofficial' or confirmed_at is null),
  constraint race_results_reason check (version = 1 or btrim(reason) <> ''),
  constraint race_results_run check ((status in ('unofficial', 'official')) = (starters is not null)),
  constraint race_results_off check (status in ('abandoned', 'void') or off_at is not null),
  constraint race_results_places check (places_paid = 0 or starters is not null)
);
create unique index race_results_unconfirmed on race_results (race_day_id, race_number)
  where confirmed_at is null;
create index race_results_confirmed on race_results (confirmed_at) where confirmed_at is not null;
create index race_results_entered on race_results (entered_at);

-- Trigger function of race_results: a result that a person entered is unconfirmed at first. A version changes
-- once, when it is confirmed. Only an unconfirmed version can be deleted. The person who entered a result can
-- confirm it only if there is no other admin.
create function refuse_result_change() returns trigger language plpgsql as $$
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
  if new.is_entered_by_one_person and not is_only_admin(new.confirmed_by) then
    raise exception 'a result must be confirmed by another admin' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger race_results_immutable before insert or update or delete on race_results
  for each row execute function refuse_result_change();
create trigger race_results_no_truncate before truncate on race_results
  for each statement execute function refuse_change();

-- The runners of a result: all declared runners or, if none were declared, those that were entered.
create table result_runners (
  race_day_id uuid not null,
  race_number smallint not null,
  version smallint not null,
  number smallint not null check (number between 1 and 30),
  -- As declared when the result was entered. Null where no runners were declared.
  horse_name text check (length(btrim(horse_name)) between 1 and 60),
  outcome text not null check (outcome in ('finished', 'did-not-finish', 'disqualified', 'non-runner')),
  -- Null for a horse behind the reported positions. Equal positions are a dead heat.
  position smallint check (position between 1 and 30),
  -- The starting price as a fraction, 5/1 or 18/10; evens is 1/1.
  starting_price_numerator smallint check (starting_price_numerator > 0),
  starting_price_denominator smallint check (starting_price_denominator > 0),
  -- The tote's dividends: the total return, with the stake, for R1.
  win_dividend_cents integer check (win_dividend_cents > 0),
  place_dividend_cents integer check (place_dividend_cents > 0),
  primary key (race_day_id, race_number, version, number),
  constraint result_runners_result foreign key (race_day_id, race_number, version) references race_results,
  constraint result_runners_position check (outcome = 'finished' or position is null),
  constraint result_runners_price check
    ((starting_price_numerator is null) = (starting_price_denominator is null)),
  constraint result_runners_non_runner check (outcome <> 'non-runner'
    or (starting_price_numerator is null and win_dividend_cents is null and place_dividend_cents is null))
);
create trigger result_runners_append_only before update on result_runners
  for each row execute function refuse_change();
create trigger result_runners_no_truncate before truncate on result_runners
  for each statement execute function refuse_change();

-- Trigger function of result_runners: refuses to add runners to a confirmed result or to delete them.
-- Locks the result, so that it is not confirmed until the transaction ends.
create function require_unconfirmed_result() returns trigger language plpgsql as $$
begin
  perform from race_results r
  where r.race_day_id = coalesce(new.race_day_id, old.race_day_id)
    and r.race_number = coalesce(new.race_number, old.race_number)
    and r.version = coalesce(new.version, old.version) and r.confirmed_at is null for share;
  if not found then
    raise exception 'the runners of a confirmed result cannot change' using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger result_runners_unconfirmed before insert or delete on result_runners
  for each row execute function require_unconfirmed_result();

-- The official results by venue and date: the newest confirmed version of each race. Other features read results
-- from this view, and their runners from result_runners.
create view official_results as
  select d.venue_id, d.race_date, r.race_day_id, r.race_number, r.version, r.status, r.off_at, r.starters,
    r.places_paid, r.source, r.source_url, r.is_entered_by_one_person, r.confirmed_at
  from race_days d join race_results r on r.race_day_id = d.id
  where r.confirmed_at is not null and not exists (
    select from race_results n where n.race_day_id = r.race_day_id and n.race_number = r.race_number
      and n.version > r.version and n.confirmed_at is not null);

-- The reported off times by venue and date. Other features read race days from this view.
create view race_off_times as
  select d.venue_id, d.race_date, r.race_number, r.off_at
  from race_days d join races r on r.race_day_id = d.id;

-- Returns when a race without a known off time counts as off: 18:00 South African time on its day. The same
-- rule as UNKNOWN_OFF_TIME in src/domain/race-day.ts.
create function unknown_off_at(p_race_date date) returns timestamptz
language sql immutable parallel safe as $$
  select (p_race_date + time '18:00') at time zone 'Africa/Johannesburg'
$$;

-- The declared runners by venue and date. Other features read runners from this view.
create view declared_runners as
  select d.venue_id, d.race_date, u.race_number, u.number, u.horse_key, u.scratched_at
  from race_days d join runners u on u.race_day_id = d.id;

-- Locks races of a venue and date until the transaction ends, so that their runners do not change.
create function lock_races(p_venue_id uuid, p_race_date date, p_race_numbers smallint[]) returns void
language plpgsql as $$
begin
  perform from races r
  where r.race_day_id = (select d.id from race_days d where d.venue_id = p_venue_id and d.race_date = p_race_date)
    and r.race_number = any (p_race_numbers)
  order by r.race_number for share;
end $$;
