-- Integrity: the runs of the invariants in db/invariants.

create table integrity_checks (
  id bigint generated always as identity primary key,
  -- A recent check reads the rows changed since checked_since; a full check reads all rows.
  scope text not null check (scope in ('recent', 'full')),
  checked_since timestamptz,
  checked_at timestamptz not null,
  -- The violated invariants, each with its rows.
  failures jsonb not null
);
