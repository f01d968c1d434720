-- What each creator's days come to since the beginning, written by the roll-up with them: what is due to
-- everybody is read from one row a creator, however many days and sales there have been.
create table earning_totals (
  creator_id uuid primary key,
  sales bigint not null default 0,
  earned_cents bigint not null default 0,
  reversed_sales bigint not null default 0,
  reversed_cents bigint not null default 0
);
insert into earning_totals
select creator_id, sum(sales), sum(earned_cents), sum(reversed_sales), sum(reversed_cents)
from earning_days group by creator_id;

-- The days that are too young to be paid for, of everybody.
create index earning_days_day on earning_days (day);

-- What each creator's payouts come to, paid or under way. A creator has one open at most, so nobody
-- waits for another here.
create table payout_totals (
  creator_id uuid primary key,
  cents bigint not null
);
insert into payout_totals select creator_id, sum(amount_cents) from payouts group by creator_id;

create function add_to_payout_totals() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update payout_totals set cents = cents - old.amount_cents where creator_id = old.creator_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into payout_totals as t (creator_id, cents) values (new.creator_id, new.amount_cents)
    on conflict (creator_id) do update set cents = t.cents + excluded.cents;
  end if;
  return null;
end $$;
create trigger payouts_are_totalled after insert or delete or update of creator_id, amount_cents on payouts
  for each row execute function add_to_payout_totals();
