-- What the sales add up to, by creator and month, written by the roll-up alone.
create table standings (
  creator_id uuid not null,
  month date not null check (extract(day from month) = 1),
  sales integer not null default 0,
  coins_earned bigint not null default 0,
  primary key (creator_id, month)
);

create table roll_up_positions (
  name text primary key,
  -- Every sale of a transaction before this one has been added up.
  before_xid xid8 not null
);
insert into roll_up_positions values ('standings', '0');

create table books_checks (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('recent', 'full')),
  checked_since timestamptz,
  checked_at timestamptz not null,
  failures jsonb not null
);
