-- What each creator earned on each South African day, written by the roll-up alone: a creator with a
-- million sales reads their earnings as fast as one with ten. Reversals stand on the day of their sale.
create table earning_days (
  creator_id uuid not null,
  day date not null,
  sales integer not null default 0,
  earned_cents bigint not null default 0,
  reversed_sales integer not null default 0,
  reversed_cents bigint not null default 0,
  primary key (creator_id, day)
);

-- Every sale and reversal of a transaction before this one has been added up. One row.
create table earning_days_position (
  is_only boolean primary key default true check (is_only),
  before_xid xid8 not null
);
insert into earning_days_position (before_xid) values ('0');

create index payouts_creator on payouts (creator_id, requested_at desc);
