-- Identity: users, roles, sessions, passwords, links in emails and two-step sign-in.

create table users (
  id uuid primary key default new_id(),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(btrim(name)) between 1 and 120),
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the user confirmed being 18 or older and accepted the terms.
  agreed_at timestamptz,
  closed_at timestamptz
);
create index users_newest on users (created_at desc, id desc);
create index users_search on users using gin (to_tsvector('simple', name || ' ' || email));
create index users_email_prefix on users (email text_pattern_ops);
create index users_closed on users (closed_at) where closed_at is not null;

-- The foreign keys of the tables of earlier files.
alter table emails add foreign key (user_id) references users;
alter table audit_entries add foreign key (actor_id) references users;
alter table wallets add foreign key (user_id) references users;

-- The number of open accounts, split into 16 rows so that concurrent registrations rarely wait for each
-- other. The number is the sum of all rows.
create table user_counts (shard smallint primary key, open_users bigint not null);
insert into user_counts select i, 0 from generate_series(0, 15) i;

-- Trigger function: adds the change of one user row to user_counts. Locks one of the 16 rows until the
-- transaction ends.
create function update_user_counts() returns trigger language plpgsql as $$
declare
  v_change integer := 0;
begin
  if tg_op <> 'INSERT' and old.closed_at is null then v_change := -1; end if;
  if tg_op <> 'DELETE' and new.closed_at is null then v_change := v_change + 1; end if;
  if v_change <> 0 then
    update user_counts set open_users = open_users + v_change where shard = pg_backend_pid() % 16;
  end if;
  return null;
end $$;
create trigger users_update_counts after insert or delete or update of closed_at on users
  for each row execute function update_user_counts();

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
  user_agent text,
  -- When the second step was passed; null for accounts without one.
  code_verified_at timestamptz
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Returns the user whose session has this token at this instant; null when the token is unknown, the
-- session has expired or the account is closed. plpgsql, because PostgreSQL before version 18 plans a
-- function in plain SQL again for every call.
create function session_user_id(p_token text, p_at timestamptz) returns uuid
language plpgsql stable parallel safe as $$
begin
  return (
    select s.user_id from sessions s join users u on u.id = s.user_id
    where s.token = p_token and s.expires_at > p_at and u.closed_at is null);
end $$;

-- The columns are those of the authentication library. A password is an Argon2id hash.
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
create index credentials_newest on credentials (updated_at);

create table verifications (
  id uuid primary key default new_id(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verifications_identifier on verifications (identifier);

-- Single-use links in emails. Only the hash of a token is stored, so a copy of this table gives no access to accounts.
create table email_links (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null
    check (purpose in ('confirm-email', 'disown', 'change-email', 'reset-password', 'set-password')),
  email text not null,
  -- Identifies the browser that requested the link. Confirming signs in only this browser.
  browser_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_links_user on email_links (user_id, purpose);

-- The TOTP secrets of two-step sign-in, encrypted. Codes of last_step and of earlier time steps are refused.
create table two_step_keys (
  user_id uuid primary key references users on delete cascade,
  encrypted_key text not null check (encrypted_key like 'v1.%'),
  last_step bigint not null,
  created_at timestamptz not null
);

-- Recovery codes, each usable once instead of a code of the authenticator app. Only hashes are stored.
create table recovery_codes (
  user_id uuid not null references two_step_keys on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Trigger function: refuses a session without a code for a user who has two-step sign-in
-- (check_violation, constraint sessions_require_code), however the session is created. Takes a key-share
-- lock on the user, so it waits for a transaction that is turning two-step sign-in on.
create function require_session_code() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for key share;
  if new.code_verified_at is null and exists (select from two_step_keys where user_id = new.user_id) then
    raise exception 'this account requires a two-step code'
      using errcode = 'check_violation', constraint = 'sessions_require_code';
  end if;
  return new;
end $$;
create trigger sessions_require_code before insert or update of user_id, code_verified_at on sessions
  for each row execute function require_session_code();

-- Invitations of admins by email. Accepting one grants nothing yet: the invited person holds the admin role only
-- while two-step sign-in is on.
create table admin_invitations (
  id uuid primary key default new_id(),
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  -- The hash of the token in the newest email; older links do not work.
  token_hash text not null unique,
  invited_by uuid not null references users,
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users,
  -- When the invitation was cancelled, or the admin who had accepted it was removed.
  ended_at timestamptz,
  check ((accepted_at is null) = (accepted_by is null))
);
create unique index admin_invitations_open on admin_invitations (email)
  where accepted_at is null and ended_at is null;
create unique index admin_invitations_accepted on admin_invitations (accepted_by) where ended_at is null;

-- Trigger function: refuses to remove the role of the last admin with an open account (check_violation,
-- constraint user_roles_keep_last_admin). The lock serialises concurrent removals.
create function keep_last_admin() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.role = 'admin' and new.user_id = old.user_id then return new; end if;
  perform pg_advisory_xact_lock(hashtext('identity admins'));
  if not exists (
    select from user_roles r join users u on u.id = r.user_id
    where r.role = 'admin' and r.user_id <> old.user_id and u.closed_at is null) then
    raise exception 'the last admin cannot be removed'
      using errcode = 'check_violation', constraint = 'user_roles_keep_last_admin';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger user_roles_keep_last_admin before delete or update on user_roles
  for each row when (old.role = 'admin') execute function keep_last_admin();

-- Returns true for an admin if no other open account has the role.
create function is_only_admin(p_user uuid) returns boolean language sql stable as $$
  select exists (select from user_roles where user_id = p_user and role = 'admin') and not exists (
    select from user_roles r join users u on u.id = r.user_id
    where r.role = 'admin' and r.user_id <> p_user and u.closed_at is null)
$$;

-- Trigger function: revokes the admin role of an invited admin whose two-step sign-in is turned off, for example
-- by an operator because the authenticator app is lost. Turning it on again restores the role. The last admin
-- keeps the role.
create function require_two_step_of_invited_admin() returns trigger language plpgsql as $$
begin
  if exists (select from admin_invitations where accepted_by = old.user_id and ended_at is null) then
    perform pg_advisory_xact_lock(hashtext('identity admins'));
    delete from user_roles
    where user_id = old.user_id and role = 'admin' and exists (
      select from user_roles r join users u on u.id = r.user_id
      where r.role = 'admin' and r.user_id <> old.user_id and u.closed_at is null);
  end if;
  return null;
end $$;
create trigger two_step_keys_of_invited_admins after delete on two_step_keys
  for each row execute function require_two_step_of_invited_admin();
