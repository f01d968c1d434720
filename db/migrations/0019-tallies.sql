-- What each creator's settled tips come to since the beginning: in all, at each venue and of each kind.
-- Made anew in the background for whoever had a result; till then their own tips are read. So the
-- rankings of all time cost the same however many tips there are.
create table creator_tallies (
  creator_id uuid not null references creators,
  -- All of them under the nil id and the empty kind.
  venue_id uuid not null,
  tip_type text not null check (tip_type in ('', 'win', 'place', 'each-way')),
  settled integer not null check (settled > 0),
  won integer not null check (won between 0 and settled),
  streak_result text not null check (streak_result in ('won', 'lost')),
  streak_length integer not null check (streak_length > 0),
  longest_won integer not null check (longest_won between 0 and won),
  primary key (venue_id, tip_type, creator_id)
);
create index creator_tallies_creator on creator_tallies (creator_id);

alter table creator_records add column is_tallied boolean not null default false;
create index creator_records_untallied on creator_records (creator_id) where not is_tallied;

-- When a race goes off orders the results of its day, so new times put the tallies of that day's
-- creators in doubt. Locked in order, so that two who enter times never wait crosswise.
create function doubt_tallies() returns trigger language plpgsql as $$
begin
  perform from creator_records where is_tallied and creator_id in (
    select c.creator_id from changed x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null))
    order by creator_id for no key update;
  update creator_records set is_tallied = false where is_tallied and creator_id in (
    select c.creator_id from changed x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null));
  return null;
end $$;
create trigger races_added_doubt_tallies after insert on races
  referencing new table as changed for each statement execute function doubt_tallies();
create trigger races_changed_doubt_tallies after update on races
  referencing new table as changed for each statement execute function doubt_tallies();
create trigger races_removed_doubt_tallies after delete on races
  referencing old table as changed for each statement execute function doubt_tallies();

-- How many tips there are follows from the records, which leave out void ones.
create index tips_void on tips (id) where result = 'void';

-- How many accounts are open, in shares, so that two who sign up seldom wait for each other.
create table user_counts (share smallint primary key, open_users bigint not null);
insert into user_counts select i, 0 from generate_series(0, 15) i;
update user_counts set open_users = (select count(*) from users where closed_at is null) where share = 0;
create function count_users() returns trigger language plpgsql as $$
declare
  v_change integer := 0;
begin
  if tg_op <> 'INSERT' and old.closed_at is null then v_change := -1; end if;
  if tg_op <> 'DELETE' and new.closed_at is null then v_change := v_change + 1; end if;
  if v_change <> 0 then
    update user_counts set open_users = open_users + v_change where share = pg_backend_pid() % 16;
  end if;
  return null;
end $$;
create trigger users_are_counted after insert or delete or update of closed_at on users
  for each row execute function count_users();
drop index users_open;
