-- Who writes tips: tipsters and analysts alike.
create table creators (
  user_id uuid primary key references users,
  kind text not null check (kind in ('tipster', 'analyst')),
  display_name text not null check (length(btrim(display_name)) between 2 and 60),
  slug text not null unique check (slug ~ '^[a-z0-9-]+$'),
  specialization text not null default '' check (length(specialization) <= 120),
  bio text not null default '' check (length(bio) <= 500),
  profile_image text,
  approved_at timestamptz not null,
  approved_by uuid references users,
  suspended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index creators_display_name on creators (lower(display_name));

create table tipster_applications (
  id uuid primary key default new_id(),
  email text not null check (email = lower(email)),
  full_name text not null,
  display_name text not null,
  phone_number text not null default '',
  experience_years smallint check (experience_years between 0 and 50),
  specialization text not null default '',
  favourite_tracks text not null default '',
  bio text not null default '' check (length(bio) <= 500),
  status text not null default 'applied' check (status in ('applied', 'approved', 'declined')),
  decided_at timestamptz,
  decided_by uuid references users,
  reason text,
  user_id uuid references users,
  created_at timestamptz not null,
  check ((status = 'applied') = (decided_at is null))
);
create unique index tipster_applications_open on tipster_applications (email) where status = 'applied';
create index tipster_applications_newest on tipster_applications (created_at desc, id desc);

-- What a creator's tips add up to, kept with them in the same transaction.
create table creator_records (
  creator_id uuid primary key references creators,
  tips integer not null default 0 check (tips >= 0),
  settled integer not null default 0 check (settled between 0 and tips),
  won integer not null default 0 check (won between 0 and settled)
);

create table race_cards (
  id uuid primary key default new_id(),
  creator_id uuid not null references creators,
  venue_id uuid not null references venues,
  race_date date not null,
  published_at timestamptz not null,
  unique (creator_id, venue_id, race_date)
);
create index race_cards_date on race_cards (race_date, venue_id);

create table batches (
  id uuid primary key default new_id(),
  creator_id uuid not null references creators,
  batch_key text not null check (length(batch_key) between 8 and 100),
  race_card_id uuid not null references race_cards,
  race_numbers smallint[] not null,
  created_at timestamptz not null,
  unique (creator_id, batch_key)
);

create table tips (
  id uuid primary key default new_id(),
  race_card_id uuid not null references race_cards,
  race_number smallint not null check (race_number between 1 and 12),
  -- As its author gave it; the race day's own time stands before it.
  given_off_at timestamptz,
  horse_number smallint not null check (horse_number between 1 and 30),
  horse_name text not null check (length(btrim(horse_name)) between 1 and 60),
  tip_type text not null check (tip_type in ('win', 'place', 'each-way')),
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  analysis text not null check (length(btrim(analysis)) between 1 and 4000),
  tip_text text not null,
  -- Published too late to count in the record.
  is_late boolean not null,
  published_at timestamptz not null,
  -- Off sale and off the lists since; never taken from whoever could read it before.
  hidden_at timestamptz,
  is_active boolean not null generated always as (hidden_at is null) stored,
  -- Set by the operator's delete, which hides for good.
  deleted_at timestamptz,
  result text check (result in ('won', 'lost', 'void')),
  settled_at timestamptz,
  settled_by uuid references users,
  unique (race_card_id, race_number),
  check ((result is null) = (settled_at is null)),
  check (deleted_at is null or hidden_at is not null)
);

create index tips_unsettled on tips (race_card_id) where result is null;

create function refuse_tip_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.race_card_id, new.race_number, new.given_off_at, new.horse_number, new.horse_name,
      new.tip_type, new.confidence, new.analysis, new.tip_text, new.is_late, new.published_at)
    is distinct from
     (old.id, old.race_card_id, old.race_number, old.given_off_at, old.horse_number, old.horse_name,
      old.tip_type, old.confidence, old.analysis, old.tip_text, old.is_late, old.published_at) then
    raise exception 'a published tip does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger tips_are_facts before update on tips
  for each row execute function refuse_tip_change();
create trigger tips_stay before delete on tips for each row execute function refuse_change();
create trigger tips_keep before truncate on tips for each statement execute function refuse_change();

create function refuse_race_card_change() returns trigger language plpgsql as $$
begin
  raise exception 'a race card keeps its creator, venue and day' using errcode = 'restrict_violation';
end $$;
create trigger race_cards_are_facts before update or delete on race_cards
  for each row execute function refuse_race_card_change();

-- Every result that was ever set, by whom and when.
create table result_entries (
  id bigint generated always as identity primary key,
  tip_id uuid not null references tips,
  result text check (result in ('won', 'lost', 'void')),
  actor_id uuid not null references users,
  reason text not null default '',
  created_at timestamptz not null
);
create index result_entries_tip on result_entries (tip_id);
create trigger result_entries_append_only before update or delete on result_entries
  for each row execute function refuse_change();
