-- Proof: a public log with which anyone can verify that a tip was recorded before the off and has not changed
-- since (docs/proof.md). One job writes the log.

-- The logs of this installation. An origin never changes, even if APP_URL does. If a log cannot be continued, it is
-- closed and the next one begins.
create table proof_logs (
  id smallint primary key default 1 check (id > 0),
  origin text not null unique check (origin ~ '^[^[:space:]+]{4,120}$'),
  started_at timestamptz not null,
  -- The offset of the log in the tables below: their indexes and sizes start at it, so that each value belongs to one
  -- log. It is a multiple of 2^40, so that no tile contains entries of two logs.
  first_index bigint not null generated always as ((id::bigint - 1) << 40) stored,
  size bigint not null default 0 check (size between 0 and 1::bigint << 40),
  -- Set by a restore. Nothing is appended until the operator has compared the log with an external checkpoint.
  unconfirmed_since timestamptz,
  closed_at timestamptz,
  closed_why text,
  check ((closed_at is null) = (closed_why is null))
);
create unique index proof_logs_open on proof_logs ((true)) where closed_at is null;

-- The Ed25519 keys that sign checkpoints, encrypted with AUTH_SECRET. The newest one signs.
create table proof_signing_keys (
  verifier_key text primary key,
  encrypted_seed text not null,
  -- The log size from which on the key signs checkpoints.
  from_size bigint not null unique check (from_size >= 0),
  -- Until this time the previous key signs too, for verifiers that do not know the new key. Null for the first key.
  previous_signs_until timestamptz,
  created_at timestamptz not null
);

-- The hashed entries: each is one JSON object without line breaks, in UTF-8. C2SP tlog-tiles limits an entry
-- to 65,535 bytes.
create table proof_entries (
  entry_index bigint primary key check (entry_index >= 0),
  body bytea not null check (octet_length(body) between 2 and 65535 and position('\x0a'::bytea in body) = 0),
  -- The leaf hash (RFC 6962).
  leaf_hash bytea not null generated always as (sha256('\x00'::bytea || body)) stored,
  appended_at timestamptz not null
);
create index proof_entries_appended on proof_entries (appended_at, entry_index);

-- The hashes of the levels above the leaves: one for each full tile of 256 hashes of the level below.
create table proof_nodes (
  level smallint not null check (level between 1 and 7),
  node_index bigint not null check (node_index >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (level, node_index)
);

-- The signed checkpoints. The primary key prevents two checkpoints of the same size with different roots.
create table proof_checkpoints (
  size bigint primary key check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  signed_at timestamptz not null
);
create index proof_checkpoints_signed on proof_checkpoints (signed_at);

-- The creators in the log. proof_id is random, so that the log contains no personal data.
create table proof_creators (
  proof_id text primary key check (proof_id ~ '^[0-9a-f]{32}$'),
  log_id smallint not null references proof_logs,
  -- Null if the entries were recovered from a copy of the log, but the creator was not.
  creator_id uuid references creators,
  -- The display name of the newest entry that names the creator.
  display_name text not null,
  next_seq integer not null check (next_seq > 0),
  -- The leaf hash of the creator's newest entry.
  last_hash bytea not null check (octet_length(last_hash) = 32),
  last_entry_at timestamptz not null,
  unique (creator_id, log_id)
);
create index proof_creators_newest on proof_creators (last_entry_at);

-- Each creator's entries in the order of the log.
create table proof_creator_entries (
  proof_id text not null references proof_creators,
  seq integer not null check (seq >= 0),
  entry_index bigint not null unique references proof_entries,
  primary key (proof_id, seq)
);

-- The texts and salts behind the commitments to display names.
create table proof_creator_names (
  entry_index bigint primary key references proof_entries,
  text text not null,
  salt bytea not null check (octet_length(salt) = 32)
);

-- The texts and salts behind the commitments to tips. A tip is committed once.
create table tip_commitments (
  tip_id uuid primary key references tips,
  entry_index bigint not null unique references proof_entries,
  -- The text that the entry's selection commits to. The analysis is in tips.
  text text not null,
  salt bytea not null unique check (octet_length(salt) = 32),
  analysis_salt bytea not null unique check (octet_length(analysis_salt) = 32)
);

-- The entries that withdraw a tip, or reverse the withdrawal.
create table proof_withdrawals (
  entry_index bigint primary key references proof_entries,
  tip_id uuid not null references tip_commitments,
  state text not null check (state in ('hidden', 'deleted', 'shown'))
);
create index proof_withdrawals_tip on proof_withdrawals (tip_id, entry_index desc);

-- The entries of official results.
create table proof_results (
  race_day_id uuid not null,
  race_number smallint not null,
  version smallint not null,
  entry_index bigint not null unique references proof_entries,
  primary key (race_day_id, race_number, version),
  constraint proof_results_result foreign key (race_day_id, race_number, version) references race_results
);

-- The pseudonyms of admins in the entries of results: A1, A2 …
create table proof_admins (
  user_id uuid primary key references users,
  number smallint not null unique check (number > 0)
);

-- Files that entries refer to by their SHA-256.
create table proof_files (
  hash bytea primary key generated always as (sha256(content)) stored,
  content bytea not null,
  media_type text not null
);

-- The entries that refer to the verifier and the settlement rules.
create table proof_file_entries (
  entry_index bigint primary key references proof_entries,
  kind text not null check (kind in ('verifier', 'rules')),
  file_hash bytea not null references proof_files
);

-- The day's manifest: every creator with the number of their entries.
create table proof_manifests (
  entry_index bigint primary key references proof_entries,
  date date not null,
  file_hash bytea not null references proof_files
);
create unique index proof_manifests_date on proof_manifests (date, (entry_index >> 40));

-- Choices to receive the day's checkpoint by email. Without a row, creators receive it and other users do not.
create table checkpoint_email_settings (
  user_id uuid primary key references users on delete cascade,
  wants_email boolean not null,
  changed_at timestamptz not null
);

-- The days whose checkpoint was emailed, so that each is emailed once.
create table proof_checkpoint_emails (
  date date primary key,
  size bigint not null references proof_checkpoints,
  recipients integer not null check (recipients >= 0),
  created_at timestamptz not null
);

-- The external timestamps of checkpoints: RFC 3161 timestamps and cosignatures of witnesses.
create table proof_timestamps (
  size bigint not null references proof_checkpoints,
  kind text not null check (kind in ('rfc3161', 'witness')),
  -- The host of the timestamp authority, which is part of a URL, or the key name of the witness.
  authority text not null check (
    case kind when 'rfc3161' then authority ~ '^[a-z0-9][a-z0-9.-]{0,252}$' else authority ~ '^[^[:space:]+]{1,200}$' end),
  -- The complete RFC 3161 response, or the signature line of the witness.
  evidence bytea not null check (octet_length(evidence) between 1 and 65536),
  claimed_at timestamptz not null,
  received_at timestamptz not null,
  primary key (size, kind, authority)
);
create index proof_timestamps_newest on proof_timestamps (kind, authority, size desc);

-- The request state of each external timestamp source, so that only one process sends a request at a time, within the
-- source's limits and with a backoff while it fails.
create table proof_timestamp_requests (
  kind text not null,
  authority text not null,
  -- The South African day of the newest request, and the number of requests on that day.
  date date not null,
  requests integer not null check (requests > 0),
  last_request_at timestamptz not null,
  -- The failures since the newest timestamp, and when they began.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  primary key (kind, authority),
  check ((failures = 0) = (failing_since is null))
);

-- Everything except the size of the log and the last entries of creators is append-only.
do $$
declare v_table text;
begin
  foreach v_table in array array['proof_entries', 'proof_nodes', 'proof_checkpoints',
    'proof_creator_entries', 'proof_creator_names', 'tip_commitments', 'proof_withdrawals', 'proof_results',
    'proof_admins', 'proof_files', 'proof_file_entries', 'proof_manifests',
    'proof_checkpoint_emails', 'proof_timestamps'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_change()',
      v_table || '_append_only', v_table);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
      v_table || '_no_truncate', v_table);
  end loop;
end $$;

-- Trigger function of proof_signing_keys: refuses changes to a key, except encrypting its seed again when
-- AUTH_SECRET changes.
create function refuse_signing_key_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - 'encrypted_seed' <> to_jsonb(old) - 'encrypted_seed' then
    raise exception 'a signing key does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger proof_signing_keys_immutable before update or delete on proof_signing_keys
  for each row execute function refuse_signing_key_change();
create trigger proof_signing_keys_no_truncate before truncate on proof_signing_keys
  for each statement execute function refuse_change();

-- Trigger function of proof_logs: a log keeps its origin and start, and its size only grows by the appended entries.
-- A closed log cannot change.
create function refuse_log_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.closed_at is not null
    or (new.id, new.origin, new.started_at) is distinct from (old.id, old.origin, old.started_at)
    or new.size < old.size
    or new.size <> (select coalesce(max(entry_index) + 1 - old.first_index, 0) from proof_entries
      where entry_index between old.first_index and old.first_index + (1::bigint << 40) - 1) then
    raise exception 'the log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger proof_logs_only_grow before update or delete on proof_logs
  for each row execute function refuse_log_change();
create trigger proof_logs_no_truncate before truncate on proof_logs
  for each statement execute function refuse_change();

-- Trigger function of proof_creators: a creator's id never changes, and the number of entries only increases.
create function refuse_proof_creator_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    or (new.proof_id, new.log_id, new.creator_id) is distinct from (old.proof_id, old.log_id, old.creator_id)
    or new.next_seq < old.next_seq then
    raise exception 'the entries of a creator cannot be removed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger proof_creators_keep_entries before update or delete on proof_creators
  for each row execute function refuse_proof_creator_change();
create trigger proof_creators_no_truncate before truncate on proof_creators
  for each statement execute function refuse_change();

-- Trigger function of proof_checkpoints: a checkpoint covers the whole log, so it is larger than the previous one.
create function require_newest_checkpoint() returns trigger language plpgsql as $$
begin
  if not exists (select from proof_logs where closed_at is null and first_index + size = new.size)
    or new.size <= (select coalesce(max(size), 0) from proof_checkpoints) then
    raise exception 'a checkpoint must cover the whole log' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger proof_checkpoints_newest before insert on proof_checkpoints
  for each row execute function require_newest_checkpoint();

-- Appends entries to the log and returns the index of the first one. This is the only way in which the application's
-- role can append (grant-to-application.server.ts). Concurrent calls are serialised.
create function append_to_proof_log(p_bodies bytea[], p_at timestamptz) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare v_first bigint;
begin
  select first_index + size into v_first from proof_logs
    where closed_at is null and unconfirmed_since is null for update;
  if not found then
    raise exception 'the log is stopped' using errcode = 'object_not_in_prerequisite_state';
  end if;
  insert into proof_entries (entry_index, body, appended_at)
    select v_first + e.n - 1, e.body, p_at from unnest(p_bodies) with ordinality as e (body, n);
  update proof_logs set size = size + cardinality(p_bodies) where closed_at is null;
  return v_first;
end $$;
revoke execute on function append_to_proof_log(bytea[], timestamptz) from public;

-- Stops the log until the operator confirms it. Returns false if it was already stopped. The application's role can
-- stop the log, but only the owner can resume it.
create function stop_proof_log(p_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update proof_logs set unconfirmed_since = p_at where closed_at is null and unconfirmed_since is null;
  return found;
end $$;
revoke execute on function stop_proof_log(timestamptz) from public;
