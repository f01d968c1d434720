-- Standings: sales by creator and month.

-- Only the roll-up job writes these rows.
create table standings (
  creator_id uuid not null,
  month date not null check (extract(day from month) = 1),
  sales integer not null default 0,
  coins_earned bigint not null default 0,
  primary key (creator_id, month)
);

-- The position of the roll-up: sales of database transactions before before_xid have been summed.
create table roll_up_positions (
  name text primary key,
  before_xid xid8 not null
);
insert into roll_up_positions values ('standings', '0');
