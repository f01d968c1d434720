-- An off time that a tipster gives is a hint for readers. It used to decide when a card leaves sale and
-- whether a tip counts: a tip for a race run at 13:00, published at 15:00 as "15:01", sold until the time
-- it named and counted as won. Both now follow the off time that the operator (or a source) reports.

-- Whether a tip was published too late to count: not before the reported off of its race, or not before
-- 11:00 on its day while no off is reported. The same rule as isLateTip in src/domain/batch.ts.
create function is_late_tip(p_race_date date, p_reported_off timestamptz, p_published timestamptz)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_published
    >= coalesce(p_reported_off, (p_race_date + time '11:00') at time zone 'Africa/Johannesburg');
end $$;

-- A published tip does not change. Its lateness does, and only to what the reported off time says.
create or replace function refuse_tip_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.race_card_id, new.race_number, new.given_off_at, new.horse_number, new.horse_name,
      new.tip_type, new.confidence, new.analysis, new.tip_text, new.published_at)
    is distinct from
     (old.id, old.race_card_id, old.race_number, old.given_off_at, old.horse_number, old.horse_name,
      old.tip_type, old.confidence, old.analysis, old.tip_text, old.published_at) then
    raise exception 'a published tip does not change' using errcode = 'restrict_violation';
  end if;
  if new.is_late <> old.is_late and new.is_late <> (
      select is_late_tip(c.race_date, r.off_at, new.published_at)
      from race_cards c left join race_offs r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = new.race_number
      where c.id = new.race_card_id) then
    raise exception 'lateness follows the reported off time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Brings tips to the lateness that the reported off times say, and their creators' records with them.
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

-- When a race goes off decides which tips are late, and orders the results of its day: what follows from
-- them is brought up to date with the report, tips before records and both in order, as those who settle
-- tips lock them.
create function follow_reported_offs() returns trigger language plpgsql as $$
declare
  v_tips uuid[];
begin
  select array_agg(id) into v_tips from (
    select t.id
    from changed x
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    join tips t on t.race_card_id = c.id and t.race_number = x.race_number
    where t.is_late <> is_late_tip(c.race_date, (select r.off_at from races r
      where r.race_day_id = d.id and r.race_number = t.race_number), t.published_at)
    order by t.id for no key update of t
  ) late;
  perform from creator_records where creator_id in (
    select c.creator_id from changed x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null))
    order by creator_id for no key update;
  update creator_records set is_tallied = false where is_tallied and creator_id in (
    select c.creator_id from changed x join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null));
  if v_tips is not null then perform update_lateness(v_tips); end if;
  return null;
end $$;
drop trigger races_added_doubt_tallies on races;
drop trigger races_changed_doubt_tallies on races;
drop trigger races_removed_doubt_tallies on races;
drop function doubt_tallies();
create trigger races_added_follow after insert on races
  referencing new table as changed for each statement execute function follow_reported_offs();
create trigger races_changed_follow after update on races
  referencing new table as changed for each statement execute function follow_reported_offs();
create trigger races_removed_follow after delete on races
  referencing old table as changed for each statement execute function follow_reported_offs();

-- What has been published so far.
select update_lateness(array(
  select t.id from tips t join race_cards c on c.id = t.race_card_id
  left join race_offs r on r.venue_id = c.venue_id and r.race_date = c.race_date
    and r.race_number = t.race_number
  where t.is_late <> is_late_tip(c.race_date, r.off_at, t.published_at)));

-- As in migration 0006, but for when a card leaves sale (its last reported off; while none is reported
-- the last that its author gave, and 18:00 at the latest) and for the refusal of a wallet that a dispute
-- has frozen, which no purchase helps.
create or replace function unlock_race_card(
  p_buyer uuid, p_card uuid, p_request_key text, p_at timestamptz,
  p_seen_run integer default null, p_paid_for boolean default false
) returns table (outcome text, balance_coins integer, races integer, races_run integer, sale bigint)
language plpgsql as $$
declare
  v_wallet wallets%rowtype;
  v_card race_cards%rowtype;
  v_sale sales%rowtype;
  v_tip_ids uuid[];
  v_races integer;
  v_run integer;
  v_closes_at timestamptz;
  v_day_ends_at timestamptz;
  v_suspended boolean;
  v_transaction bigint;
  v_share integer;
  v_repeats boolean := false;
begin
  balance_coins := 0; races := 0; races_run := 0;
  if p_buyer is not null then
    select * into v_wallet from wallets w where w.user_id = p_buyer for update;
  end if;
  if v_wallet.user_id is null then
    outcome := 'not-signed-in'; return next; return;
  end if;
  balance_coins := v_wallet.balance_coins;

  select * into v_card from race_cards c where c.id = p_card;
  if not found then
    outcome := 'no-such-card'; return next; return;
  end if;

  select * into v_sale from sales s where s.buyer_id = p_buyer and s.race_card_id = p_card;
  if found then
    -- The same request again gets the same answer.
    outcome := case when p_request_key is not null and v_sale.request_key = p_request_key
      then 'opened' else 'already' end;
    sale := v_sale.id;
    select count(*) into races from tips t where t.race_card_id = p_card
      and (t.hidden_at is null or t.hidden_at > v_sale.created_at);
    return next; return;
  end if;

  if v_card.creator_id = p_buyer then
    outcome := 'own-card'; return next; return;
  end if;

  select suspended_at is not null into v_suspended from creators c where c.user_id = v_card.creator_id;
  v_day_ends_at := (v_card.race_date + 1)::timestamp at time zone 'Africa/Johannesburg';
  select array_agg(o.id order by o.race_number), count(*),
    count(*) filter (where coalesce(o.reported_off_at, o.given_off_at) <= p_at),
    coalesce(max(o.reported_off_at), least(max(o.given_off_at),
      (v_card.race_date + time '18:00') at time zone 'Africa/Johannesburg'))
  into v_tip_ids, v_races, v_run, v_closes_at
  from (
    select t.id, t.race_number, t.given_off_at, r.off_at as reported_off_at
    from tips t left join race_offs r on r.venue_id = v_card.venue_id
      and r.race_date = v_card.race_date and r.race_number = t.race_number
    where t.race_card_id = p_card and t.hidden_at is null and t.result is distinct from 'void'
  ) o;
  races := v_races; races_run := v_run;
  if v_suspended or v_races = 0
    or p_at >= (case when p_paid_for then v_day_ends_at else v_closes_at end) then
    outcome := 'not-on-sale'; return next; return;
  end if;
  if p_seen_run is not null and v_run > p_seen_run then
    outcome := 'races-run'; return next; return;
  end if;
  if v_wallet.frozen_at is not null then
    outcome := 'wallet-frozen'; return next; return;
  end if;
  if v_wallet.owed_coins > 0 then
    outcome := 'owing'; return next; return;
  end if;
  if v_wallet.balance_coins < 4 then
    outcome := 'too-few-coins'; return next; return;
  end if;

  update wallets w set balance_coins = w.balance_coins - 4 where w.user_id = p_buyer
    returning w.balance_coins into balance_coins;
  insert into ledger_transactions (kind, reference, created_at)
    values ('unlock', p_buyer || ':' || p_card, p_at) returning id into v_transaction;
  insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after) values
    (v_transaction, 'wallet', p_buyer, 'coin', -4, balance_coins),
    (v_transaction, 'redeemed', null, 'coin', 4, null),
    (v_transaction, 'payable', v_card.creator_id, 'cent', 2800, null),
    (v_transaction, 'commission', null, 'cent', -2800, null);
  -- Whoever had welcome coins and opens a second card of one creator soon after may be that creator's
  -- friend: the earning waits for a review.
  if v_wallet.guest_deal_at is not null then
    select exists (select from sales s where s.buyer_id = p_buyer and s.creator_id = v_card.creator_id
      and s.created_at > p_at - interval '30 days') into v_repeats;
  end if;
  v_share := 400 / v_races;
  insert into sales (buyer_id, race_card_id, creator_id, price_coins, tip_ids, shares_hundredths,
      transaction_id, request_key, created_at)
    values (p_buyer, p_card, v_card.creator_id, 4, v_tip_ids,
      array(select (case when i <= 400 - v_share * v_races then v_share + 1 else v_share end)::smallint
        from generate_series(1, v_races) i),
      v_transaction, p_request_key, p_at)
    returning id into sale;
  insert into earnings (sale_id, creator_id, amount_cents, payable_at, held_at, held_reason)
    values (sale, v_card.creator_id, 2800, p_at + interval '14 days',
      case when v_repeats then p_at end, case when v_repeats then 'guest-deal-repeat' end);
  outcome := 'opened';
  return next;
end $$;
