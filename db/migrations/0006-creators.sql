-- Creators: tipsters and analysts, their applications, invitations, record totals and notices.

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
-- Trigger function: refuses to invite a suspended creator as an admin, to send the invitation again and to let
-- the creator accept it (check_violation, constraint admin_invitations_not_suspended).
create function refuse_suspended_admin() returns trigger language plpgsql as $$
begin
  if exists (
    select from creators c join users u on u.id = c.user_id
    where c.suspended_at is not null and (u.email = new.email or u.id = new.accepted_by)) then
    raise exception 'a suspended creator cannot become an admin'
      using errcode = 'check_violation', constraint = 'admin_invitations_not_suspended';
  end if;
  return new;
end $$;
create trigger admin_invitations_not_suspended before insert or update of token_hash, accepted_by on admin_invitations
  for each row execute function refuse_suspended_admin();

create unique index creators_display_name on creators (lower(display_name));
create index creators_search on creators using gin (to_tsvector('simple', display_name));
create index creators_newest on creators (approved_at desc, user_id desc);

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
  -- When the applicant confirmed being 18 or older and accepted the tipster terms. Null when the form did
  -- not ask: the applicant is then asked when setting a password.
  agreed_at timestamptz,
  check ((status = 'applied') = (decided_at is null))
);
create unique index tipster_applications_open on tipster_applications (email) where status = 'applied';
create index tipster_applications_newest on tipster_applications (created_at desc, id desc);
create index tipster_applications_search on tipster_applications
  using gin (to_tsvector('simple', full_name || ' ' || display_name || ' ' || email));
create index tipster_applications_status
  on tipster_applications (status, created_at desc, id desc);

-- Invitations of existing users to become an analyst. The creator row is written when the user accepts
-- the invitation and the tipster terms; until then nothing about the user is public.
create table analyst_invitations (
  user_id uuid primary key references users,
  display_name text not null check (length(btrim(display_name)) between 2 and 60),
  invited_by uuid not null references users,
  invited_at timestamptz not null,
  withdrawn_at timestamptz
);

-- Totals of a creator's tips, updated in the transaction that changes the tips. No total counts void tips;
-- settled and won do not count late tips either.
create table creator_records (
  creator_id uuid primary key references creators,
  tips integer not null default 0 check (tips >= 0),
  settled integer not null default 0 check (settled between 0 and tips),
  won integer not null default 0 check (won between 0 and settled),
  -- True if the record includes results entered by one person, without a second person's confirmation.
  has_one_person_results boolean not null default false,
  -- Whether creator_tallies (0007-tips.sql) is up to date for this creator.
  is_tallied boolean not null default false
);
create index creator_records_untallied on creator_records (creator_id) where not is_tallied;

-- Notices to a creator about tips, earnings or the account: shown on the dashboard and sent by email.
create table creator_notices (
  id bigint generated always as identity primary key,
  creator_id uuid not null references creators,
  title text not null,
  message text not null,
  -- As the operator typed it; empty when there is none.
  reason text not null default '',
  created_at timestamptz not null
);
create index creator_notices_creator on creator_notices (creator_id, id desc);
