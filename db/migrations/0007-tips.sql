-- Tips: published race cards, batches, results and the tallies that rankings read.

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
  raise exception 'the creator, venue and date of a race card cannot change' using errcode = 'restrict_violation';
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

-- Returns when a race counts as off: at its reported off time. Without one, at the off time that the creator
-- entered or at 18:00 South African time, whichever is earlier. The same rule as assumedOff in
-- src/domain/batch.ts. A race card goes off sale at the value for the last of its reported and the last of its
-- entered off times.
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
  -- The off time that the creator entered. The reported off time takes precedence.
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
  -- True while the result is only the creator's claim, without an official result or an admin's confirmation.
  is_claim boolean not null default false,
  -- The result that the creator claimed. Does not change when another result replaces it.
  claimed_result text check (claimed_result in ('won', 'lost')),
  -- The version of the official result that settled the tip (tip_settlements). Null without one.
  settlement_version smallint,
  -- The newest sale when the tip was published. Integrity checks compare ids instead of timestamps, because the
  -- clocks of machines differ. A sale takes its id after it has read the tips of its race card, so the id of a sale
  -- is always higher than this value of its tips.
  newest_sale_id bigint default newest_sale_id(),
  unique (race_card_id, race_number),
  check ((result is null) = (settled_at is null)),
  check (deleted_at is null or hidden_at is not null),
  constraint tips_claim check
    (not is_claim or (settlement_version is null and result is not distinct from claimed_result))
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

-- Returns true if a tip was published too late to count in the record: at or after the reported off time of its
-- race or, if none is reported, at or after 11:00 South African time on the race day. The same rule as isLateTip
-- in src/domain/batch.ts.
create function is_late_tip(p_race_date date, p_reported_off timestamptz, p_published timestamptz)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_published
    >= coalesce(p_reported_off, (p_race_date + time '11:00') at time zone 'Africa/Johannesburg');
end $$;

-- Trigger function: refuses changes to the published content of a tip (restrict_violation). Lateness may change
-- only to match the reported off time. Visibility and results may change.
create function refuse_tip_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.race_card_id, new.race_number, new.entered_off_at, new.horse_number, new.horse_name,
      new.tip_type, new.confidence, new.analysis, new.tip_text, new.published_at)
    is distinct from
     (old.id, old.race_card_id, old.race_number, old.entered_off_at, old.horse_number, old.horse_name,
      old.tip_type, old.confidence, old.analysis, old.tip_text, old.published_at) then
    raise exception 'a published tip cannot change' using errcode = 'restrict_violation';
  end if;
  if new.is_late <> old.is_late and new.is_late <> (
      select is_late_tip(c.race_date, r.off_at, new.published_at)
      from race_cards c left join race_off_times r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = new.race_number
      where c.id = new.race_card_id) then
    raise exception 'is_late must match the reported off time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger tips_immutable before update on tips
  for each row execute function refuse_tip_change();
create trigger tips_newest_sale_id_immutable before update of newest_sale_id on tips
  for each row execute function refuse_change();
create trigger tips_no_delete before delete on tips for each row execute function refuse_change();
create trigger tips_no_truncate before truncate on tips for each statement execute function refuse_change();

-- The offer of each race card: all data that unlock_race_card (0008-sales.sql) needs, so that a sale reads one
-- row. Derived from tips, races and creators: triggers update the offer in the transaction that changes them, and
-- an invariant compares it with them. Sales read it without a lock.
create table race_card_offers (
  race_card_id uuid primary key references race_cards,
  creator_id uuid not null,
  race_date date not null,
  is_suspended boolean not null,
  -- The tips on sale, which are neither hidden nor void, by race number.
  tip_ids uuid[] not null,
  -- The known off times of these races, earliest first. The reported one takes precedence.
  off_times timestamptz[] not null,
  -- When the race card goes off sale.
  closes_at timestamptz not null
);

-- Computes the offer of a race card from its tips, the reported off times and its creator.
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

-- Updates the offers of these race cards. Locks them first, by id, so that concurrent transactions compute the
-- offer of a card one after the other. The lock order of all writers is tips, then offers, then the records of
-- creators.
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

-- Trigger function of tips: if the race has declared runners, refuses a tip whose number and horse do not match a
-- runner that is not scratched. Locks the races, so that no runner is scratched until the transaction ends.
create function require_declared_runner() returns trigger language plpgsql as $$
begin
  perform lock_races(c.venue_id, c.race_date, n.race_numbers)
  from (select race_card_id, array_agg(race_number) as race_numbers from new_tips group by 1) n
  join race_cards c on c.id = n.race_card_id;
  if exists (
    select from new_tips t join race_cards c on c.id = t.race_card_id
    where exists (
      select from declared_runners u where u.venue_id = c.venue_id and u.race_date = c.race_date
        and u.race_number = t.race_number
    ) and not exists (
      select from declared_runners u where u.venue_id = c.venue_id and u.race_date = c.race_date
        and u.race_number = t.race_number and u.number = t.horse_number
        and u.horse_key = horse_key(t.horse_name) and u.scratched_at is null
    )
  ) then
    raise exception 'the horse of a tip must be a declared runner that is not scratched'
      using errcode = 'check_violation', constraint = 'tips_declared_runner';
  end if;
  return null;
end $$;
create trigger tips_declared_runner after insert on tips
  referencing new table as new_tips for each statement execute function require_declared_runner();

-- Trigger function of tips: refuses a tip for a race with an official result, which would not be settled. Runs
-- after require_declared_runner, which locks the races, so that no result is confirmed while a tip is added.
create function require_race_without_result() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_tips t join race_cards c on c.id = t.race_card_id
    join official_results o on o.venue_id = c.venue_id and o.race_date = c.race_date
      and o.race_number = t.race_number
  ) then
    raise exception 'a tip cannot be added to a race with an official result'
      using errcode = 'check_violation', constraint = 'tips_race_without_result';
  end if;
  return null;
end $$;
create trigger tips_race_without_result after insert on tips
  referencing new table as new_tips for each statement execute function require_race_without_result();

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

-- Every result that was entered for a tip, with its author, time and reason. Append-only.
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

-- The settlements of tips by each version of their race's official result. Append-only: a correction adds a
-- settlement by the next version, and the newest settlement counts. Returns are in cents, before tax, for the stake
-- in the same row; null if the price or dividend is unknown.
create table tip_settlements (
  tip_id uuid not null references tips,
  race_day_id uuid not null,
  race_number smallint not null,
  -- The version of the race's result.
  version smallint not null,
  -- The version of the published rules (src/domain/settlement.ts).
  rules text not null check (rules <> ''),
  -- Placed: an each-way tip whose horse was placed and did not win. It counts as won.
  outcome text not null check (outcome in ('won', 'placed', 'lost', 'void')),
  void_reason text check (void_reason in
    ('abandoned', 'race-void', 'walk-over', 'moved-surface', 'non-runner', 'no-places')),
  position smallint check (position between 1 and 30),
  -- The number of horses that share the position.
  dead_heat_count smallint not null check (dead_heat_count between 1 and 30),
  win_stake_cents smallint check (win_stake_cents > 0),
  win_starting_price_return_cents integer check (win_starting_price_return_cents >= 0),
  win_tote_return_cents integer check (win_tote_return_cents >= 0),
  place_stake_cents smallint check (place_stake_cents > 0),
  place_tote_return_cents integer check (place_tote_return_cents >= 0),
  -- The number of the tip's horse in the result. Null if the tip is void.
  runner_number smallint check (runner_number between 1 and 30),
  -- The horse's chance of winning implied by the starting prices, and the return if the win stake had been on the
  -- favourite (src/domain/figures/race-prices.ts). Null without a win stake, or if any starter has no price.
  expected_win double precision check (expected_win > 0 and expected_win <= 1),
  favourite_return_cents integer check (favourite_return_cents >= 0),
  settled_at timestamptz not null,
  primary key (tip_id, version),
  constraint tip_settlements_result foreign key (race_day_id, race_number, version) references race_results,
  constraint tip_settlements_void check ((outcome = 'void') = (void_reason is not null)),
  constraint tip_settlements_stake check
    ((outcome = 'void') = (win_stake_cents is null and place_stake_cents is null)),
  constraint tip_settlements_win check (win_stake_cents is not null
    or (win_starting_price_return_cents is null and win_tote_return_cents is null)),
  constraint tip_settlements_place check (place_stake_cents is not null or place_tote_return_cents is null),
  constraint tip_settlements_prices check ((expected_win is null) = (favourite_return_cents is null)
    and (expected_win is null or win_stake_cents is not null))
);
create index tip_settlements_race on tip_settlements (race_day_id, race_number, version);
create index tip_settlements_newest on tip_settlements (settled_at);
create trigger tip_settlements_append_only before update or delete on tip_settlements
  for each row execute function refuse_change();
create trigger tip_settlements_no_truncate before truncate on tip_settlements
  for each statement execute function refuse_change();
alter table tips add constraint tips_settlement
  foreign key (id, settlement_version) references tip_settlements (tip_id, version);

-- Race cards whose visible tips were all void at some time. Their buyers were refunded, so no race can be added
-- any more, even after a correction. Official results still settle their tips, unless an admin voided the whole
-- race card, which is final and has a separate row.
create table void_race_cards (
  race_card_id uuid not null references race_cards,
  voided_at timestamptz not null,
  is_voided_by_admin boolean not null default false,
  primary key (race_card_id, is_voided_by_admin)
);
create trigger void_race_cards_append_only before update or delete on void_race_cards
  for each row execute function refuse_change();

-- Counts of all settled tips by creator, venue and type. All-time rankings read these rows, so their cost does
-- not depend on the number of tips. A job recomputes the rows of creators whose record is
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

-- The figures of each creator's track record (src/domain/figures), based on the tips with an official settlement.
-- A job recomputes them after each change. Pages and rankings read one row per creator.
create table creator_figures (
  creator_id uuid primary key references creators,
  computed_at timestamptz not null,
  -- The tips that count: neither void nor late. A placed each-way tip counts as won.
  settled integer not null check (settled >= 0),
  won integer not null check (won between 0 and settled),
  -- The settled tips that do not count.
  void_tips integer not null check (void_tips >= 0),
  late_tips integer not null check (late_tips >= 0),
  -- The bets to win with a known starting price.
  starting_price_tips integer not null check (starting_price_tips between 0 and settled),
  staked_cents bigint not null check (staked_cents >= 0),
  profit_cents bigint not null check (profit_cents >= -staked_cents),
  -- The lower end of the range of the yield at the starting price, in per cent. Null for fewer than 50 bets.
  yield_low_percent double precision,
  -- All figures, in the format of the type Figures in src/domain/figures/figures.ts.
  figures jsonb not null
);
create index creator_figures_computed on creator_figures (computed_at);

-- The all-time returns of counted tips' win bets at the starting price, by creator, venue and type. Rankings by
-- profit read these rows, so that their cost does not depend on the number of tips. Computed together with the
-- figures.
create table creator_returns (
  creator_id uuid not null references creators,
  -- The nil UUID and an empty type stand for all venues and all types.
  venue_id uuid not null,
  tip_type text not null check (tip_type in ('', 'win', 'each-way')),
  -- The bets with a known starting price.
  tips integer not null check (tips > 0),
  staked_cents bigint not null check (staked_cents > 0),
  profit_cents bigint not null check (profit_cents >= -staked_cents),
  -- The sums of profit², profit × stake and stake², from which the range of the yield is computed.
  profit_squares double precision not null,
  profit_by_stake double precision not null,
  stake_squares double precision not null,
  primary key (venue_id, tip_type, creator_id)
);
create index creator_returns_creator on creator_returns (creator_id);

-- The creators whose figures must be recomputed. Rows are not unique per creator, because two settlements could
-- then deadlock, each waiting for a creator that the other has added.
create table stale_figures (
  id bigint generated always as identity primary key,
  creator_id uuid not null references creators
);
create index stale_figures_creator on stale_figures (creator_id);

-- Trigger function of tips: marks the figures of the creator as stale.
create function mark_figures_of_tip() returns trigger language plpgsql as $$
begin
  insert into stale_figures (creator_id) select creator_id from race_cards where id = new.race_card_id;
  return null;
end $$;
create trigger tips_mark_figures after update on tips
  for each row when (
    (old.settlement_version, old.result, old.is_late, old.is_claim)
      is distinct from (new.settlement_version, new.result, new.is_late, new.is_claim)
    and (old.settlement_version is not null or new.settlement_version is not null))
  execute function mark_figures_of_tip();

-- Trigger function of races: marks the figures of all creators with settled tips for the race as stale.
create function mark_figures_of_race() returns trigger language plpgsql as $$
begin
  insert into stale_figures (creator_id)
  select distinct c.creator_id
  from race_days d
  join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
  join tips t on t.race_card_id = c.id and t.race_number = new.race_number
  where d.id = new.race_day_id and t.settlement_version is not null;
  return null;
end $$;
create trigger races_mark_figures after update of distance_metres, surface on races
  for each row when ((old.distance_metres, old.surface) is distinct from (new.distance_metres, new.surface))
  execute function mark_figures_of_race();

-- Inverts is_late of these tips and updates the records of their creators. The caller must
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
    where t.id = any (p_tips) and t.result in ('won', 'lost') and not t.is_claim
    group by c.creator_id
  ) d
  where n.creator_id = d.creator_id;
end $$;

-- Updates everything that depends on the reported off times of races, which are passed in two parallel arrays:
-- the lateness of tips, when race cards go off sale, and the tallies of creators with results on those days,
-- because results are ordered by off time. Locks the tips whose lateness changes, then the offers, then the
-- records of the creators, each by id, which is the lock order of settlements.
create function update_for_off_times(p_race_days uuid[], p_race_numbers smallint[]) returns void
language plpgsql as $$
declare
  v_tips uuid[];
begin
  select array_agg(id) into v_tips from (
    select t.id
    from unnest(p_race_days, p_race_numbers) as x (race_day_id, race_number)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    join tips t on t.race_card_id = c.id and t.race_number = x.race_number
    where t.is_late <> is_late_tip(c.race_date, (select r.off_at from races r
      where r.race_day_id = d.id and r.race_number = t.race_number), t.published_at)
    order by t.id for no key update of t
  ) late;
  perform refresh_offers(array(
    select distinct c.id from unnest(p_race_days) as x (race_day_id)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date));
  perform from creator_records where creator_id in (
    select c.creator_id from unnest(p_race_days) as x (race_day_id)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null))
    order by creator_id for no key update;
  update creator_records set is_tallied = false where is_tallied and creator_id in (
    select c.creator_id from unnest(p_race_days) as x (race_day_id)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null));
  if v_tips is not null then perform update_lateness(v_tips); end if;
end $$;

-- Trigger function of races, for inserts and deletes.
create function apply_reported_off_times() returns trigger language plpgsql as $$
begin
  perform update_for_off_times(array_agg(race_day_id), array_agg(race_number))
  from changed_races having count(*) > 0;
  return null;
end $$;

-- Trigger function of races, for updates. A new name, distance or surface has no effect.
create function apply_changed_off_times() returns trigger language plpgsql as $$
begin
  perform update_for_off_times(array_agg(race_day_id), array_agg(race_number))
  from changed_races n full join previous_races o using (race_day_id, race_number)
  where n.off_at is distinct from o.off_at having count(*) > 0;
  return null;
end $$;

create trigger races_insert_apply_off_times after insert on races
  referencing new table as changed_races for each statement execute function apply_reported_off_times();
create trigger races_update_apply_off_times after update on races
  referencing old table as previous_races new table as changed_races
  for each statement execute function apply_changed_off_times();
create trigger races_delete_apply_off_times after delete on races
  referencing old table as changed_races for each statement execute function apply_reported_off_times();

-- Returns the tips of a race card that a buyer who opened it at this instant may read, as a JSON array: every tip
-- that was visible at any time since. Does not check that the buyer has opened the race card.
-- Returns json because encoding jsonb would take longer than the query itself.
create function opened_tips(p_card uuid, p_opened_at timestamptz) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
        'id', t.id, 'raceNumber', t.race_number,
        'offAt', coalesce(r.off_at, t.entered_off_at),
        'horseNumber', t.horse_number, 'horseName', t.horse_name, 'tipType', t.tip_type,
        'confidence', t.confidence, 'analysis', t.analysis, 'result', t.result,
        'isClaim', t.is_claim, 'isOfficial', t.settlement_version is not null,
        'claimedResult', t.claimed_result, 'isLate', t.is_late, 'publishedAt', t.published_at
      ) order by t.race_number), '[]')
    from tips t
    join race_cards c on c.id = t.race_card_id
    left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
      and r.race_number = t.race_number
    where t.race_card_id = p_card and (t.hidden_at is null or t.hidden_at > p_opened_at));
end $$;
