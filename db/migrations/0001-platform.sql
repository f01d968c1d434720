-- Platform: ids, the append-only guard, rate limits, alerts and emails.
--
-- These files follow the import order of src: a file references only tables of the files before it. A
-- foreign key towards a table of a later feature is added by that feature's file.

-- Returns a time-ordered UUID (version 7), so that primary-key indexes grow at their end. Works on
-- PostgreSQL 15 and newer, which have no uuidv7() before version 18.
create function new_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Trigger function of append-only tables: refuses the statements that fire it (restrict_violation).
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation';
end $$;

-- Rate-limit counters, shared by all machines. expire is in milliseconds since 1970.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);

-- Conditions that an operator has to handle, such as a payment that matches no order. Reporting the same
-- kind and subject again does not add a row.
create table alerts (
  id uuid primary key default new_id(),
  kind text not null,
  subject text not null,
  message text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  unique (kind, subject)
);
create index alerts_open on alerts (created_at desc) where resolved_at is null;

-- Every email that was requested. The text is stored until the email is sent; the demo keeps it for
-- its mailbox page.
create table emails (
  id uuid primary key default new_id(),
  recipient text not null,
  -- References users (0004-identity.sql).
  user_id uuid,
  kind text not null,
  subject text not null,
  text text,
  html text,
  -- The URL that unsubscribes the recipient from emails of this kind, for the List-Unsubscribe header. Null for
  -- emails about the recipient's own account.
  unsubscribe_url text,
  created_at timestamptz not null,
  sent_at timestamptz,
  failed_at timestamptz,
  failure text
);
create index emails_newest on emails (created_at desc, id desc);
create index emails_user on emails (user_id, created_at desc);
create index emails_recipient on emails (recipient, created_at desc, id desc);
create index emails_failed on emails (failed_at desc, id desc) where failed_at is not null;
