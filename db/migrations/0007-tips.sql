-- Tips: race cards as published, batches, results and the tallies that rankings are read from.

-- A creator's tips for one venue and day.
create table race_cards (
  id uuid primary key default new_id(),
  creator_id uuid not null references creators,
  venue_id uuid not null references venues,
  race_date date not null,
  published_at timestamptz not null,
  unique (creator_id, venue_id, race_date)
);
create index race_cards_date on race_cards (race_date, venue_id);
create index race_cards_creator_newest on race_cards (creator_id, race_date desc, id desc);
create index race_cards_venue_newest on race_cards (venue_id, race_date desc, id desc);

-- Trigger function: refuses every change to a race card (restrict_violation).
create function refuse_race_card_change() returns trigger language plpgsql as $$
begin
  raise exception 'a race card keeps its creator, venue and day' using errcode = 'restrict_violation';
end $$;
create trigger race_cards_immutable before update or delete on race_cards
  for each row execute function refuse_race_card_change();
create trigger race_cards_no_truncate before truncate on race_cards
  for each statement execute function refuse_change();

-- The tips that a creator published in one request. A repeated request has the same idempotency_key.
create table batches (
  id uuid primary key default new_id(),
  creator_id uuid not null references creators,
  idempotency_key text not null check (length(idempotency_key) between 8 and 100),
  race_card_id uuid not null references race_cards,
  race_numbers smallint[] not null,
  created_at timestamptz not null,
  unique (creator_id, idempotency_key)
);
create index batches_newest on batches (created_at);

-- Returns when a race counts as off: at its reported off time, otherwise at the off time that the creator
-- entered, but at 18:00 South African time at the latest. A race card leaves sale at the result for the last of
-- its reported and the last of its entered off times. The same rule as assumedOff in src/domain/batch.ts.
create function assumed_off_at(p_race_date date, p_reported_off_at timestamptz, p_entered_off_at timestamptz)
returns timestamptz language sql immutable parallel safe as $$
  select coalesce(p_reported_off_at, least(p_entered_off_at, unknown_off_at(p_race_date)))
$$;

-- Returns the id of the newest sale (0008-sales.sql), or 0 when there is none.
create function newest_sale_id() returns bigint language plpgsql volatile as $$
begin
  return coalesce((select max(s.id) from sales s), 0);
end $$;

create table tips (
  id uuid primary key default new_id(),
  race_card_id uuid not null references race_cards,
  race_number smallint not null check (race_number between 1 and 12),
  -- The off time as the creator entered it: a hint for readers. The reported off time takes precedence.
  entered_off_at timestamptz,
  horse_number smallint not null check (horse_number between 1 and 30),
  horse_name text not null check (length(btrim(horse_name)) between 1 and 60),
  tip_type text not null check (tip_type in ('win', 'place', 'each-way')),
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  analysis text not null check (length(btrim(analysis)) between 1 and 4000),
  tip_text text not null,
  -- Published too late to count in the record; follows is_late_tip.
  is_late boolean not null,
  published_at timestamptz not null,
  -- Hidden tips are neither sold nor listed. Buyers who could read a tip before can still read it.
  hidden_at timestamptz,
  is_active boolean not null generated always as (hidden_at is null) stored,
  -- Set when the operator deletes the tip, which hides it permanently.
  deleted_at timestamptz,
  result text check (result in ('won', 'lost', 'void')),
  settled_at timestamptz,
  settled_by uuid references users,
  -- The newest sale when the tip was published. Integrity checks compare ids and not timestamps, because
  -- machines have different clocks. A sale takes its id after it has read the tips of its race card, so
  -- every tip of a sale was published while all sales were older than that sale.
  newest_sale_id bigint default newest_sale_id(),
  unique (race_card_id, race_number),
  check ((result is null) = (settled_at is null)),
  check (deleted_at is null or hidden_at is not null)
);
create index tips_unsettled on tips (race_card_id) where result is null;
create index tips_newest on tips (published_at desc, id desc);
create index tips_hidden on tips (published_at desc, id desc) where hidden_at is not null;
create index tips_search on tips using gin (to_tsvector('simple', horse_name));
-- The number of tips is the sum of all records plus the void tips, which records do not count.
create index tips_void on tips (id) where result = 'void';
-- Tips without a result, oldest first.
create index tips_unsettled_oldest on tips (published_at, race_card_id, race_number, id) where result is null;
-- Recent changes, for the integrity checks.
create index tips_settled on tips (settled_at) where settled_at is not null;
create index tips_void_settled on tips (settled_at) where result = 'void';

-- Returns whether a tip was published too late to count: at or after the reported off time of its race,
-- or, while none is reported, at or after 11:00 South African time on its day. The same rule as isLateTip
-- in src/domain/batch.ts.
create function is_late_tip(p_race_date date, p_reported_off timestamptz, p_published timestamptz)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_published
    >= coalesce(p_reported_off, (p_race_date + time '11:00') at time zone 'Africa/Johannesburg');
end $$;

-- Trigger function: refuses changes to what was published (restrict_violation). Lateness may change, and
-- only to what the reported off time says. Visibility and results may change.
create function refuse_tip_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.race_card_id, new.race_number, new.entered_off_at, new.horse_number, new.horse_name,
      new.tip_type, new.confidence, new.analysis, new.tip_text, new.published_at)
    is distinct from
     (old.id, old.race_card_id, old.race_number, old.entered_off_at, old.horse_number, old.horse_name,
      old.tip_type, old.confidence, old.analysis, old.tip_text, old.published_at) then
    raise exception 'a published tip does not change' using errcode = 'restrict_violation';
  end if;
  if new.is_late <> old.is_late and new.is_late <> (
      select is_late_tip(c.race_date, r.off_at, new.published_at)
      from race_cards c left join race_off_times r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = new.race_number
      where c.id = new.race_card_id) then
    raise exception 'lateness follows the reported off time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger tips_immutable before update on tips
  for each row execute function refuse_tip_change();
create trigger tips_newest_sale_id_immutable before update of newest_sale_id on tips
  for each row execute function refuse_change();
create trigger tips_no_delete before delete on tips for each row execute function refuse_change();
create trigger tips_no_truncate before truncate on tips for each statement execute function refuse_change();

-- What each race card offers for sale: all that unlock_race_card (0008-sales.sql) needs to know about it, so
-- that a sale reads one row. It repeats what tips, races and creators say. Triggers maintain it in the
-- transaction that changes those, and an invariant compares it. Sales read it without a lock.
create table race_card_offers (
  race_card_id uuid primary key references race_cards,
  creator_id uuid not null,
  race_date date not null,
  is_suspended boolean not null,
  -- The tips that are sold, in the order of their races: neither hidden nor void.
  tip_ids uuid[] not null,
  -- The known off times of these races, earliest first. The reported one takes precedence.
  off_times timestamptz[] not null,
  -- When the race card leaves sale.
  closes_at timestamptz not null
);

-- Returns what a race card offers, from its tips, the reported off times and its creator.
create function compute_offer(p_card uuid) returns setof race_card_offers
language sql stable as $$
  select c.id, c.creator_id, c.race_date, k.suspended_at is not null, o.tip_ids, o.off_times,
    assumed_off_at(c.race_date, o.reported_off_at, o.entered_off_at)
  from race_cards c join creators k on k.user_id = c.creator_id
  cross join lateral (
    select coalesce(array_agg(sold.id order by sold.race_number), '{}') as tip_ids,
      coalesce(array_agg(sold.off_at order by sold.off_at) filter (where sold.off_at is not null), '{}')
        as off_times,
      max(sold.reported_off_at) as reported_off_at, max(sold.entered_off_at) as entered_off_at
    from (
      select t.id, t.race_number, t.entered_off_at, r.off_at as reported_off_at,
        coalesce(r.off_at, t.entered_off_at) as off_at
      from tips t left join race_off_times r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = t.race_number
      where t.race_card_id = c.id and t.hidden_at is null and t.result is distinct from 'void'
    ) sold
  ) o
  where c.id = p_card
$$;

-- Updates the offers of these race cards. Locks them first, in the order of their ids: of two transactions
-- that change one card, the second computes its offer after the first has committed. Writers lock tips before
-- offers, and offers before the records of creators.
create function refresh_offers(p_cards uuid[]) returns void language plpgsql as $$
begin
  perform from race_card_offers where race_card_id = any (p_cards)
    order by race_card_id for no key update;
  update race_card_offers o
  set is_suspended = n.is_suspended, tip_ids = n.tip_ids, off_times = n.off_times, closes_at = n.closes_at
  from unnest(p_cards) card cross join lateral compute_offer(card) n
  where o.race_card_id = n.race_card_id and o.* is distinct from n.*;
end $$;

-- Trigger function of race_cards: adds the offer of a new race card, which has no tips yet.
create function add_offer() returns trigger language plpgsql as $$
begin
  insert into race_card_offers select * from compute_offer(new.id);
  return null;
end $$;
create trigger race_cards_add_offer after insert on race_cards
  for each row execute function add_offer();

-- Trigger function of tips: updates the offers of race cards that receive tips.
create function add_tips_to_offers() returns trigger language plpgsql as $$
begin
  perform refresh_offers(array(select distinct race_card_id from new_tips));
  return null;
end $$;
create trigger tips_insert_refresh_offers after insert on tips
  referencing new table as new_tips for each statement execute function add_tips_to_offers();

-- Trigger function of tips: updates the offer of a race card when one of its tips is hidden, restored,
-- voided, or no longer void.
create function refresh_offer_of_tip() returns trigger language plpgsql as $$
begin
  perform refresh_offers(array[new.race_card_id]);
  return null;
end $$;
create trigger tips_update_refresh_offers after update of hidden_at, result on tips
  for each row when (
    (old.hidden_at is null and old.result is distinct from 'void')
      <> (new.hidden_at is null and new.result is distinct from 'void'))
  execute function refresh_offer_of_tip();

-- Trigger function of creators: takes the race cards of a suspended creator off sale, or puts them back.
create function apply_suspension_to_offers() returns trigger language plpgsql as $$
declare
  v_cards uuid[] := array(select id from race_cards where creator_id = new.user_id);
begin
  perform from race_card_offers where race_card_id = any (v_cards)
    order by race_card_id for no key update;
  update race_card_offers set is_suspended = new.suspended_at is not null
  where race_card_id = any (v_cards);
  return null;
end $$;
create trigger creators_apply_suspension after update of suspended_at on creators
  for each row when ((old.suspended_at is null) <> (new.suspended_at is null))
  execute function apply_suspension_to_offers();

-- Every result that was ever set: by whom, when and why. Append-only.
create table result_entries (
  id bigint generated always as identity primary key,
  tip_id uuid not null references tips,
  result text check (result in ('won', 'lost', 'void')),
  actor_id uuid not null references users,
  reason text not null default '',
  created_at timestamptz not null
);
create index result_entries_tip on result_entries (tip_id);
create trigger result_entries_append_only before update or delete on result_entries
  for each row execute function refuse_change();

-- Race cards whose every visible tip was void at some time: their buyers got their coins back, so no race is
-- added to them any more, whatever is corrected later.
create table void_race_cards (
  race_card_id uuid primary key references race_cards,
  voided_at timestamptz not null
);
create trigger void_race_cards_append_only before update or delete on void_race_cards
  for each row execute function refuse_change();

-- Settled tips by creator, venue and type since the beginning. Rankings of all time read these rows, so
-- their cost does not depend on the number of tips. A job recomputes the rows of creators whose record is
-- not tallied (creator_records.is_tallied); until then rankings read the tips of these creators.
create table creator_tallies (
  creator_id uuid not null references creators,
  -- The nil UUID and an empty type stand for all venues and all types.
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

-- Inverts the lateness of these tips, and updates the records of their creators to match. The caller must
-- have locked the tips, and then the records in the order of creator_id.
create function update_lateness(p_tips uuid[]) returns void language plpgsql as $$
begin
  update tips set is_late = not is_late where id = any (p_tips);
  update creator_records n
  set settled = n.settled + d.settled, won = n.won + d.won, is_tallied = false
  from (
    select c.creator_id,
      sum(case when t.is_late then -1 else 1 end) as settled,
      coalesce(sum(case when t.is_late then -1 else 1 end) filter (where t.result = 'won'), 0) as won
    from tips t join race_cards c on c.id = t.race_card_id
    where t.id = any (p_tips) and t.result in ('won', 'lost')
    group by c.creator_id
  ) d
  where n.creator_id = d.creator_id;
end $$;

-- Trigger function of races: updates what depends on the reported off times. Tips become late or count
-- again, race cards leave sale at another time, and creators with results on that day are tallied again,
-- because off times order the results. Locks the tips whose lateness changes, then the offers, then the
-- records of the creators, each in the order of their ids: the order in which settling tips locks them.
create function apply_reported_off_times() returns trigger language plpgsql as $$
declare
  v_tips uuid[];
begin
  select array_agg(id) into v_tips from (
    select t.id
    from changed_races x
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    join tips t on t.race_card_id = c.id and t.race_number = x.race_number
    where t.is_late <> is_late_tip(c.race_date, (select r.off_at from races r
      where r.race_day_id = d.id and r.race_number = t.race_number), t.published_at)
    order by t.id for no key update of t
  ) late;
  perform refresh_offers(array(
    select distinct c.id from changed_races x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date));
  perform from creator_records where creator_id in (
    select c.creator_id from changed_races x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null))
    order by creator_id for no key update;
  update creator_records set is_tallied = false where is_tallied and creator_id in (
    select c.creator_id from changed_races x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null));
  if v_tips is not null then perform update_lateness(v_tips); end if;
  return null;
end $$;
create trigger races_insert_apply_off_times after insert on races
  referencing new table as changed_races for each statement execute function apply_reported_off_times();
create trigger races_update_apply_off_times after update on races
  referencing new table as changed_races for each statement execute function apply_reported_off_times();
create trigger races_delete_apply_off_times after delete on races
  referencing old table as changed_races for each statement execute function apply_reported_off_times();

-- Returns the tips of a race card as a JSON array that a buyer who opened it at this instant may read:
-- every tip that was visible at any moment since. Does not check that the buyer has opened the card.
-- Returns json and not jsonb: sorting the keys and packing the values cost more than finding the tips.
create function opened_tips(p_card uuid, p_opened_at timestamptz) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
        'id', t.id, 'raceNumber', t.race_number,
        'offAt', coalesce(r.off_at, t.entered_off_at),
        'horseNumber', t.horse_number, 'horseName', t.horse_name, 'tipType', t.tip_type,
        'confidence', t.confidence, 'analysis', t.analysis, 'result', t.result,
        'isLate', t.is_late, 'publishedAt', t.published_at
      ) order by t.race_number), '[]')
    from tips t
    join race_cards c on c.id = t.race_card_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    where t.race_card_id = p_card and (t.hidden_at is null or t.hidden_at > p_opened_at));
end $$;
