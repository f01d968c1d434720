-- Integrity: the runs of the invariants in db/invariants.

create table integrity_checks (
  id bigint generated always as identity primary key,
  -- A recent check reads what changed since checked_since, a full check reads everything.
  scope text not null check (scope in ('recent', 'full')),
  checked_since timestamptz,
  checked_at timestamptz not null,
  -- The invariants that do not hold, each with its rows.
  failures jsonb not null
);
