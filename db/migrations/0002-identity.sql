create table users (
  id uuid primary key default new_id(),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(btrim(name)) between 1 and 120),
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the person said to be 18 or older and agreed to the terms.
  agreed_at timestamptz,
  closed_at timestamptz
);

create table user_roles (
  user_id uuid not null references users,
  role text not null check (role in ('tipster', 'analyst', 'admin')),
  granted_at timestamptz not null,
  granted_by uuid references users,
  primary key (user_id, role)
);

create table sessions (
  id uuid primary key default new_id(),
  token text not null unique,
  user_id uuid not null references users,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ip_address text,
  user_agent text
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table credentials (
  id uuid primary key default new_id(),
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references users,
  password text check (password like '$argon2id$%'),
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (user_id, provider_id)
);

create table verifications (
  id uuid primary key default new_id(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verifications_identifier on verifications (identifier);

-- Links that mails carry. Only a hash is kept: whoever reads this table cannot use one.
create table email_links (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null
    check (purpose in ('confirm-email', 'disown', 'change-email', 'reset-password', 'set-password')),
  email text not null,
  -- The browser that asked, which alone is signed in by its confirmation.
  browser_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_links_user on email_links (user_id, purpose);

create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);

create table audit_entries (
  id bigint generated always as identity primary key,
  actor_id uuid references users,
  act text not null,
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null
);
create index audit_entries_newest on audit_entries (created_at desc, id desc);
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_keep before truncate on audit_entries
  for each statement execute function refuse_change();

-- Whose session a cookie's token is, null when it is nobody's (any more).
create function session_user_id(p_token text, p_at timestamptz) returns uuid
language sql stable parallel safe as $$
  select s.user_id from sessions s join users u on u.id = s.user_id
  where s.token = p_token and s.expires_at > p_at and u.closed_at is null
$$;

-- Every mail that was asked for. The text is kept where it can be needed again (until it is sent),
-- and for good in the demo only, whose mailbox shows it.
create table mails (
  id uuid primary key default new_id(),
  recipient text not null,
  user_id uuid references users,
  kind text not null,
  subject text not null,
  text text,
  html text,
  created_at timestamptz not null,
  sent_at timestamptz,
  failed_at timestamptz,
  failure text
);
create index mails_newest on mails (created_at desc, id desc);
create index mails_user on mails (user_id, created_at desc);
