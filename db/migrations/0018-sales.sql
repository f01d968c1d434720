-- Sales: the rand price of a race card and the creator's earning are facts of each sale. Nothing compares them with
-- the terms of today. card_price_coins stays constant; creator_earning_cents and earning_cents_per_coin
-- (0008-sales.sql) are left for the invariants of the previous version.

-- The prices and the creators' share from an instant on. The subject is the id of a coin pack, with its price in cents
-- (whole rand), or 'creator-share', with the part of a race card's price that its creator earns, in per cent. Append-only.
-- A price starts after it is written, so those of the past never change. Of several from one instant, the one written
-- last is in force. src/domain/coin-packs.ts has the first prices, too.
create table prices (
  id bigint generated always as identity,
  subject text not null,
  valid_from timestamptz not null,
  value integer not null,
  -- Null for the first prices.
  created_by uuid references users,
  created_at timestamptz not null default now(),
  primary key (subject, valid_from, id),
  constraint prices_value check (case when subject = 'creator-share' then value between 1 and 100
    else value > 0 and value % 100 = 0 end),
  constraint prices_future check (valid_from > created_at or valid_from = '-infinity')
);
create trigger prices_append_only before update or delete on prices
  for each row execute function refuse_change();
create trigger prices_no_truncate before truncate on prices
  for each statement execute function refuse_change();
-- The smallest coin pack holds the coins of one race card, so its price is that of a race card.
insert into prices (subject, valid_from, value) select subject, '-infinity', value from (values
  ('creator-share', 70), ('starter_4', 4000), ('value_8', 7000), ('pro_12', 10000), ('high_roller_20', 16000),
  ('thunder_strike_40', 36000), ('blazing_saddles_120', 108000), ('elite_pro_200', 180000),
  ('ultimate_champion_400', 360000), ('unlock_tip_starter', 4000)) first (subject, value);

-- Returns the rand price of a race card that is sold at an instant, and what its creator earns. A price in whole rand
-- and a share in whole per cent give whole cents.
create function sale_terms(p_at timestamptz) returns table (price_cents integer, earning_cents integer)
language sql stable parallel safe as $$
  select price.value, price.value * share.value / 100
  from (select p.value from prices p where p.subject = 'starter_4' and p.valid_from <= p_at
      order by p.valid_from desc, p.id desc limit 1) price,
    (select p.value from prices p where p.subject = 'creator-share' and p.valid_from <= p_at
      order by p.valid_from desc, p.id desc limit 1) share
$$;

-- Every sale so far was made on the first terms. The defaults are also for a sale that the previous version of
-- unlock_race_card makes during the upgrade.
alter table sales
  add column price_cents integer not null default 4000,
  add column earning_cents integer not null default 2800,
  add constraint sales_earning check (earning_cents between 1 and price_cents);

-- Returns the part of an earning that belongs to a number of the coins of its sale, rounded down to the cent. The same
-- as calculateEarningOfCoins in src/domain/coin-return.ts.
create function earning_of_coins(p_earning_cents integer, p_price_coins integer, p_coins integer) returns integer
language sql immutable parallel safe as $$
  select p_earning_cents * p_coins / p_price_coins
$$;

-- Returns true if an earning has an amount. A held earning must have a reason and must not be in a payout. The
-- amount is compared with the sale by refuse_fixed_amount_change and by the invariants.
create or replace function is_valid_earning(
  amount_cents integer, held_at timestamptz, held_reason text, payout_id uuid
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return amount_cents > 0 and (held_at is null) = (held_reason is null)
    and (held_at is null or payout_id is null);
end $$;

-- Trigger function: refuses to change the amount of an earning that is in a payout or reversed, and to raise it above
-- the earning of its sale (restrict_violation).
create or replace function refuse_fixed_amount_change() returns trigger language plpgsql as $$
begin
  if old.payout_id is null and new.payout_id is null
    and not exists (select from earning_reversals r where r.sale_id = old.sale_id)
    and new.amount_cents <= (select s.earning_cents from sales s where s.id = old.sale_id) then
    return new;
  end if;
  raise exception 'the amount of an earning in a payout or reversed cannot change'
    using errcode = 'restrict_violation';
end $$;

-- Trigger function: refuses a row that does not continue the previous row of its sale, or that changes the earning by
-- all of it or more (check_violation, constraint coin_returns_continue).
create or replace function check_coin_return() returns trigger language plpgsql as $$
declare
  v_step smallint;
  v_total_coins smallint;
begin
  select r.step, r.total_coins into v_step, v_total_coins
  from coin_returns r where r.sale_id = new.sale_id order by r.step desc limit 1;
  if new.step = coalesce(v_step, 0) + 1 and new.total_coins = coalesce(v_total_coins, 0) + new.coins
    and abs(new.reduced_cents) < (select s.earning_cents from sales s where s.id = new.sale_id) then
    return new;
  end if;
  raise exception 'coin return % of sale % does not follow the previous one', new.step, new.sale_id
    using errcode = 'check_violation', constraint = 'coin_returns_continue';
end $$;
-- It compared every reduction with the earning of today.
alter table coin_returns drop constraint coin_returns_reduced_cents_check;

-- Replaces the function of 0015-sales.sql, with the same parameters and result.
--
-- Opens a race card for a buyer: writes the wallet, the postings, the sale and the earning, or nothing, in
-- one round trip. The one function that writes tables of several features (decision record 0003).
--
-- Returns one row:
--   outcome        'opened', 'already' (opened before, not charged again), or the first refusal that
--                  applies, in the order of src/domain/refusal.ts
--   balance_coins  the balance afterwards
--   races          the number of races on the race card that the buyer receives
--   races_run      the number of these that are over
--   sale           the id of the sale; null after a refusal
--
-- Parameters:
--   p_idempotency_key         a repeated key returns 'opened' again
--   p_acknowledged_races_run  the number of finished races that the buyer was shown; refused with 'races-run'
--                             if there are more. Null skips this check.
--   p_was_on_sale             true if the race card was on sale when the buyer started the payment; it can then
--                             be opened until the end of its day
--
-- Reads the race card's offer (race_card_offers, 0007-tips.sql) after locking the wallet, so that a request
-- that waited for another one of the same buyer sees what is on sale now.
--
-- The rand price and the creator's earning are those of sale_terms at p_at. They are stored with the sale.
--
-- The earning is payable 14 days after the sale, but not before the day after the race date.
--
-- The earning is held for review when a buyer who received welcome coins opens a second race card of the
-- same creator within 30 days.
--
-- Locks the wallet of the buyer until the transaction ends, but no row that other buyers need.
create or replace function unlock_race_card(
  p_buyer uuid, p_card uuid, p_idempotency_key text, p_at timestamptz,
  p_acknowledged_races_run integer default null, p_was_on_sale boolean default false,
  out outcome text, out balance_coins integer, out races integer, out races_run integer, out sale bigint
) language plpgsql as $$
declare
  v_owed_coins integer;
  v_frozen_at timestamptz;
  v_guest_deal_at timestamptz;
  v_creator uuid;
  v_race_date date;
  v_suspended boolean;
  v_tip_ids uuid[];
  v_off_times timestamptz[];
  v_closes_at timestamptz;
  v_sale_key text;
  v_sold_at timestamptz;
  v_transaction bigint;
  v_repeats boolean := false;
  v_price_cents integer;
  v_earning_cents integer;
begin
  races := 0; races_run := 0;
  select w.balance_coins, w.owed_coins, w.frozen_at, w.guest_deal_at
  into balance_coins, v_owed_coins, v_frozen_at, v_guest_deal_at
  from wallets w where w.user_id = p_buyer for update;
  if not found then
    balance_coins := 0; outcome := 'not-signed-in'; return;
  end if;

  select o.creator_id, o.race_date, o.is_suspended, o.tip_ids, o.off_times, o.closes_at,
    s.id, s.idempotency_key, s.created_at
  into v_creator, v_race_date, v_suspended, v_tip_ids, v_off_times, v_closes_at,
    sale, v_sale_key, v_sold_at
  from race_card_offers o left join sales s on s.buyer_id = p_buyer and s.race_card_id = o.race_card_id
  where o.race_card_id = p_card;
  if not found then
    outcome := 'race-card-not-found'; return;
  end if;

  if sale is not null then
    -- A repeated request receives the same outcome.
    outcome := case when p_idempotency_key is not null and v_sale_key = p_idempotency_key
      then 'opened' else 'already' end;
    select count(*) into races from tips t where t.race_card_id = p_card
      and (t.hidden_at is null or t.hidden_at > v_sold_at);
    return;
  end if;

  if v_creator = p_buyer then
    outcome := 'own-card'; return;
  end if;

  races := cardinality(v_tip_ids);
  while v_off_times[races_run + 1] <= p_at loop
    races_run := races_run + 1;
  end loop;
  if v_suspended or races = 0
    or p_at >= (case when p_was_on_sale
      then (v_race_date + 1)::timestamp at time zone 'Africa/Johannesburg' else v_closes_at end) then
    outcome := 'not-on-sale'; return;
  end if;
  if p_acknowledged_races_run is not null and races_run > p_acknowledged_races_run then
    outcome := 'races-run'; return;
  end if;
  if v_frozen_at is not null then
    outcome := 'wallet-frozen'; return;
  end if;
  if v_owed_coins > 0 then
    outcome := 'owing'; return;
  end if;
  if balance_coins < card_price_coins() then
    outcome := 'too-few-coins'; return;
  end if;

  select t.price_cents, t.earning_cents into strict v_price_cents, v_earning_cents from sale_terms(p_at) t;
  update wallets w set balance_coins = w.balance_coins - card_price_coins() where w.user_id = p_buyer
    returning w.balance_coins into balance_coins;
  insert into ledger_transactions (kind, reference, created_at)
    values ('unlock', p_buyer || ':' || p_card, p_at) returning id into v_transaction;
  insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after) values
    (v_transaction, 'wallet', p_buyer, 'coin', -card_price_coins(), balance_coins),
    (v_transaction, 'redeemed', null, 'coin', card_price_coins(), null),
    (v_transaction, 'payable', v_creator, 'cent', v_earning_cents, null),
    (v_transaction, 'commission', null, 'cent', -v_earning_cents, null);
  if v_guest_deal_at is not null then
    select exists (select from sales s where s.buyer_id = p_buyer and s.creator_id = v_creator
      and s.created_at > p_at - interval '30 days') into v_repeats;
  end if;
  insert into sales (buyer_id, race_card_id, creator_id, price_coins, tip_ids, shares_hundredths,
      transaction_id, idempotency_key, created_at, price_cents, earning_cents)
    values (p_buyer, p_card, v_creator, card_price_coins(), v_tip_ids, split_price(races),
      v_transaction, p_idempotency_key, p_at, v_price_cents, v_earning_cents)
    returning id into sale;
  insert into earnings (sale_id, creator_id, amount_cents, payable_at, held_at, held_reason)
    values (sale, v_creator, v_earning_cents,
      greatest(p_at + interval '14 days', (v_race_date + 1)::timestamp at time zone 'Africa/Johannesburg'),
      case when v_repeats then p_at end, case when v_repeats then 'guest-deal-repeat' end);
  outcome := 'opened';
end $$;
