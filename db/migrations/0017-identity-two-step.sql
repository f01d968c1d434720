-- Who signs in by password and code. The key is sealed; no code of a step up to the last one works again.
create table two_step_keys (
  user_id uuid primary key references users on delete cascade,
  sealed_key text not null check (sealed_key like 'v1.%'),
  last_step bigint not null,
  created_at timestamptz not null
);

-- What stands for a code where the app is lost, each once. Only hashes are kept.
create table recovery_codes (
  user_id uuid not null references two_step_keys on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

alter table sessions add column code_given_at timestamptz;

-- Whichever door a session is begun by: where there is a key, there is none without its code. The lock on
-- the user makes it wait for whoever is turning the second step on.
create function refuse_session_without_code() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for key share;
  if new.code_given_at is null and exists (select from two_step_keys where user_id = new.user_id) then
    raise exception 'this account signs in with a code'
      using errcode = 'check_violation', constraint = 'sessions_need_the_code';
  end if;
  return new;
end $$;
create trigger sessions_need_the_code before insert or update of user_id, code_given_at on sessions
  for each row execute function refuse_session_without_code();
