-- Racing: venues, race days and off times.

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
  -- The number of reports so far. A form names the version that it was opened with, so that it does not
  -- overwrite a report that came in between.
  version integer not null default 1 check (version > 0),
  unique (venue_id, race_date)
);
create index race_days_date on race_days (race_date);
create index race_days_reported on race_days (reported_at);

-- Reported off times. Changing them updates the lateness of tips (0007-tips.sql).
create table races (
  race_day_id uuid not null references race_days on delete cascade,
  race_number smallint not null check (race_number between 1 and 12),
  off_at timestamptz not null,
  primary key (race_day_id, race_number)
);

-- The reported off times by venue and date: what other features read of a race day.
create view race_off_times as
  select d.venue_id, d.race_date, r.race_number, r.off_at
  from race_days d join races r on r.race_day_id = d.id;

-- Returns when a race without a known off time counts as off: 18:00 South African time on its day. The same
-- rule as UNKNOWN_OFF_TIME in src/domain/race-day.ts.
create function unknown_off_at(p_race_date date) returns timestamptz
language sql immutable parallel safe as $$
  select (p_race_date + time '18:00') at time zone 'Africa/Johannesburg'
$$;
