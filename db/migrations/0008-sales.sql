-- Sales: opening race cards, earnings and reversals. Functions that constraints use qualify all names with their
-- schema, because pg_restore checks the constraints without a search path.

-- Returns the price of a race card in coins. The same as CARD_PRICE_COINS in src/domain/coins.ts.
create function card_price_coins() returns integer
language plpgsql immutable parallel safe as $$
begin
  return 4;
end $$;

-- Returns the creator's earning per sale, in cents. The same as CREATOR_EARNING_CENTS in src/domain/coins.ts.
create function creator_earning_cents() returns integer
language plpgsql immutable parallel safe as $$
begin
  return 2800;
end $$;

-- Returns the sum of the elements; 0 for null and for an empty array.
create function sum_elements(parts smallint[]) returns bigint
language plpgsql immutable parallel safe as $$
declare
  part smallint;
  v_total bigint := 0;
begin
  foreach part in array coalesce(parts, '{}') loop
    v_total := v_total + coalesce(part, 0);
  end loop;
  return v_total;
end $$;

-- Splits the price among this number of races, in hundredths of a coin. The first races receive the remainder.
-- The same as splitIntoShares in src/domain/shares.ts.
create function split_price(p_races integer) returns smallint[]
language plpgsql immutable parallel safe as $$
declare
  v_price integer := 100 * public.card_price_coins();
begin
  return array_fill((v_price / p_races + 1)::smallint, array[v_price % p_races])
    || array_fill((v_price / p_races)::smallint, array[p_races - v_price % p_races]);
end $$;

-- Returns true if a sale has the price of a race card, a buyer who is not its creator, and one share per tip,
-- with shares that add up to the price.
create function is_valid_sale(
  buyer_id uuid, creator_id uuid, price_coins smallint, tip_ids uuid[], shares_hundredths smallint[]
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return price_coins = public.card_price_coins() and buyer_id <> creator_id and cardinality(tip_ids) > 0
    and shares_hundredths = public.split_price(cardinality(tip_ids));
end $$;

-- One row per opened race card, with the buyer, the price and each tip's share of it. Append-only. created_xid is
-- the database transaction, by which roll-ups find rows that they have not summed yet.
create table sales (
  id bigint generated always as identity primary key,
  -- References the wallet instead of the user, because the sale has already locked the wallet.
  buyer_id uuid not null references wallets,
  -- References race_cards; the trigger sales_race_card checks it.
  race_card_id uuid not null,
  creator_id uuid not null,
  price_coins smallint not null,
  tip_ids uuid[] not null,
  shares_hundredths smallint[] not null,
  transaction_id bigint not null unique references ledger_transactions,
  idempotency_key text,
  created_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id(),
  unique (buyer_id, race_card_id),
  constraint sales_valid
    check (is_valid_sale(buyer_id, creator_id, price_coins, tip_ids, shares_hundredths))
);
create index sales_buyer_newest on sales (buyer_id, id desc);
create index sales_creator_newest on sales (creator_id, id desc);
create index sales_card on sales (race_card_id);
create index sales_newest on sales (created_at);
create index sales_xid on sales (created_xid, id);
create trigger sales_append_only before update or delete on sales
  for each row execute function refuse_change();
create trigger sales_no_truncate before truncate on sales
  for each statement execute function refuse_change();

-- Trigger function: refuses a sale whose race card does not exist or is another creator's
-- (foreign_key_violation, constraint sales_race_card).
--
-- Replaces a foreign key, which would write a lock to the race card's row with every sale. No lock is needed,
-- because race cards are never changed or deleted.
create function check_sale_race_card() returns trigger language plpgsql as $$
begin
  if exists (select from race_cards c
    where c.id = new.race_card_id and c.creator_id = new.creator_id) then
    return new;
  end if;
  raise exception 'no race card % of creator %', new.race_card_id, new.creator_id
    using errcode = 'foreign_key_violation', constraint = 'sales_race_card';
end $$;
create trigger sales_race_card before insert on sales
  for each row execute function check_sale_race_card();

-- Returns the cents by which each coin returned to the buyer reduces an earning. The same as
-- EARNING_CENTS_PER_COIN in src/domain/coins.ts.
create function earning_cents_per_coin() returns integer
language plpgsql immutable parallel safe as $$
begin
  return public.creator_earning_cents() / public.card_price_coins();
end $$;

-- Returns true if an earning has the amount of one to four coins. A held earning must have a reason and must not be
-- in a payout.
create function is_valid_earning(
  amount_cents integer, held_at timestamptz, held_reason text, payout_id uuid
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return amount_cents between public.earning_cents_per_coin() and public.creator_earning_cents()
    and amount_cents % public.earning_cents_per_coin() = 0 and (held_at is null) = (held_reason is null)
    and (held_at is null or payout_id is null);
end $$;

-- The creator's earning from a sale, in cents: the full amount less the reductions for void races (coin_returns).
-- A held earning is in no payout.
create table earnings (
  sale_id bigint primary key references sales,
  creator_id uuid not null,
  amount_cents integer not null,
  payable_at timestamptz not null,
  held_at timestamptz,
  held_reason text,
  -- References payouts (0009-payouts.sql).
  payout_id uuid,
  constraint earnings_valid check (is_valid_earning(amount_cents, held_at, held_reason, payout_id))
);
create index earnings_creator on earnings (creator_id, sale_id desc);
create index earnings_unpaid on earnings (creator_id, payable_at) where payout_id is null;
create index earnings_payout on earnings (payout_id) where payout_id is not null;
create index earnings_held on earnings (held_at) where held_at is not null;

-- Earnings that were reversed in full, by a refund, a dispute, a void race card or the operator's review.
-- amount_cents is the amount of the earning, which does not change while it is reversed.
create table earning_reversals (
  sale_id bigint primary key references earnings,
  amount_cents integer not null check (amount_cents > 0),
  reason text not null
    constraint earning_reversals_reason_check check (reason in ('refund', 'dispute', 'void', 'review')),
  transaction_id bigint not null unique references ledger_transactions,
  created_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id(),
  -- The purchase whose refund or dispute caused this; references coin_purchases (0010-payments.sql).
  purchase_id uuid
);
create index earning_reversals_xid on earning_reversals (created_xid, sale_id);
create index earning_reversals_newest on earning_reversals (created_at);
create index earning_reversals_purchase on earning_reversals (purchase_id)
  where purchase_id is not null;

-- Reversals that were undone because the money was returned, or because a void result was corrected. The
-- reversal is deleted, so that no sum counts it; this row and the ledger keep its history. Append-only.
create table earning_restorations (
  id bigint generated always as identity primary key,
  sale_id bigint not null references earnings,
  amount_cents integer not null check (amount_cents > 0),
  -- References coin_purchases (0010-payments.sql); null when a void result was corrected.
  purchase_id uuid,
  reversal_transaction_id bigint not null unique references ledger_transactions,
  -- The database transactions of the reversal and of this row, by which roll-ups find them.
  reversed_xid xid8 not null,
  transaction_id bigint not null unique references ledger_transactions,
  created_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id()
);
create index earning_restorations_sale on earning_restorations (sale_id);
create index earning_restorations_xid on earning_restorations (created_xid);
create index earning_restorations_reversed_xid on earning_restorations (reversed_xid);
create trigger earning_restorations_append_only before update or delete on earning_restorations
  for each row execute function refuse_change();

-- Trigger function: refuses changes to a reversal, and deleting one that has no restoration
-- (restrict_violation).
create function refuse_reversal_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from earning_restorations r where r.reversal_transaction_id = old.transaction_id) then
    return old;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation';
end $$;
create trigger earning_reversals_append_only before update or delete on earning_reversals
  for each row execute function refuse_reversal_change();

-- Trigger function: refuses to change the amount of an earning that is in a payout or reversed
-- (restrict_violation).
create function refuse_fixed_amount_change() returns trigger language plpgsql as $$
begin
  if old.payout_id is null and new.payout_id is null
    and not exists (select from earning_reversals r where r.sale_id = old.sale_id) then
    return new;
  end if;
  raise exception 'the amount of an earning in a payout or reversed cannot change'
    using errcode = 'restrict_violation';
end $$;
create trigger earnings_fixed_amount before update on earnings
  for each row when (old.amount_cents <> new.amount_cents)
  execute function refuse_fixed_amount_change();

-- Replaces the reversal of a sale with a restoration that belongs to this ledger transaction. Does nothing
-- if the sale has no reversal.
--
-- Runs with the rights of the schema's owner, because the application role may not delete reversals. So only
-- the application role may call it (grantToApplication), and pg_temp comes last in its search path: a
-- temporary table of the caller could otherwise shadow one of these tables.
create function restore_earning(p_sale bigint, p_transaction bigint, p_at timestamptz)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into earning_restorations (sale_id, amount_cents, purchase_id, reversal_transaction_id,
      reversed_xid, transaction_id, created_at)
    select r.sale_id, r.amount_cents, r.purchase_id, r.transaction_id, r.created_xid, p_transaction, p_at
    from earning_reversals r where r.sale_id = p_sale;
  delete from earning_reversals where sale_id = p_sale;
end $$;
revoke execute on function restore_earning(bigint, bigint, timestamptz) from public;

-- The coins that buyers received back for void races, and the changes of the earning that go with them. One
-- row per change of a sale. Append-only.
--
-- The coins returned for a sale never decrease: a corrected result does not charge them again. The earning follows the
-- results in both directions, except while it is in a payout or reversed for another reason. When all coins
-- are returned, the rest of the earning is reversed (earning_reversals) instead of reduced.
create table coin_returns (
  sale_id bigint not null references sales,
  -- The number of this row among the changes of its sale, from 1.
  step smallint not null check (step > 0),
  coins smallint not null check (coins >= 0),
  -- The coins returned for the sale so far, this row included.
  total_coins smallint not null check (total_coins between coins and card_price_coins()),
  -- The reduction of the earning; negative when it is raised again after a correction.
  reduced_cents integer not null check (abs(reduced_cents) < creator_earning_cents()
    and reduced_cents % earning_cents_per_coin() = 0),
  -- The void tips of the sale at that time.
  tip_ids uuid[] not null,
  transaction_id bigint not null unique references ledger_transactions,
  created_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id(),
  primary key (sale_id, step)
);
create index coin_returns_xid on coin_returns (created_xid, sale_id);
create index coin_returns_newest on coin_returns (created_at);

-- Trigger function: refuses a row that does not continue the previous row of its sale (check_violation,
-- constraint coin_returns_continue).
create function check_coin_return() returns trigger language plpgsql as $$
declare
  v_step smallint;
  v_total_coins smallint;
begin
  select r.step, r.total_coins into v_step, v_total_coins
  from coin_returns r where r.sale_id = new.sale_id order by r.step desc limit 1;
  if new.step = coalesce(v_step, 0) + 1 and new.total_coins = coalesce(v_total_coins, 0) + new.coins then
    return new;
  end if;
  raise exception 'coin return % of sale % does not follow the previous one', new.step, new.sale_id
    using errcode = 'check_violation', constraint = 'coin_returns_continue';
end $$;
create trigger coin_returns_continue before insert on coin_returns
  for each row execute function check_coin_return();
create trigger coin_returns_append_only before update or delete on coin_returns
  for each row execute function refuse_change();
create trigger coin_returns_no_truncate before truncate on coin_returns
  for each statement execute function refuse_change();

-- Coin returns about which the buyer has not been emailed yet. One email covers the returns of a buyer at one
-- meeting, and then these rows are deleted.
create table coin_return_notices (
  transaction_id bigint primary key references coin_returns (transaction_id),
  buyer_id uuid not null,
  -- References race_cards; the venue and the date are those of the race card.
  race_card_id uuid not null,
  venue_id uuid not null,
  race_date date not null,
  coins smallint not null check (coins > 0),
  -- The part of the coins that repaid coins owed by the buyer.
  repaid_coins smallint not null check (repaid_coins between 0 and coins),
  created_at timestamptz not null
);
create index coin_return_notices_meeting on coin_return_notices (buyer_id, race_date, venue_id);

-- The opened tips in the format of the earlier API: one row per tip of a sale.
create view user_unlocked_tips as
  select s.buyer_id as user_id, part.tip_id, part.share / 100.0 as coins_spent,
    s.created_at as unlocked_at
  from sales s, unnest(s.tip_ids, s.shares_hundredths) as part (tip_id, share);

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
-- The earning is held for review when a buyer who received welcome coins opens a second race card of the
-- same creator within 30 days.
--
-- Locks the wallet of the buyer until the transaction ends, but no row that other buyers need.
create function unlock_race_card(
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

  update wallets w set balance_coins = w.balance_coins - card_price_coins() where w.user_id = p_buyer
    returning w.balance_coins into balance_coins;
  insert into ledger_transactions (kind, reference, created_at)
    values ('unlock', p_buyer || ':' || p_card, p_at) returning id into v_transaction;
  insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after) values
    (v_transaction, 'wallet', p_buyer, 'coin', -card_price_coins(), balance_coins),
    (v_transaction, 'redeemed', null, 'coin', card_price_coins(), null),
    (v_transaction, 'payable', v_creator, 'cent', creator_earning_cents(), null),
    (v_transaction, 'commission', null, 'cent', -creator_earning_cents(), null);
  if v_guest_deal_at is not null then
    select exists (select from sales s where s.buyer_id = p_buyer and s.creator_id = v_creator
      and s.created_at > p_at - interval '30 days') into v_repeats;
  end if;
  insert into sales (buyer_id, race_card_id, creator_id, price_coins, tip_ids, shares_hundredths,
      transaction_id, idempotency_key, created_at)
    values (p_buyer, p_card, v_creator, card_price_coins(), v_tip_ids, split_price(races),
      v_transaction, p_idempotency_key, p_at)
    returning id into sale;
  insert into earnings (sale_id, creator_id, amount_cents, payable_at, held_at, held_reason)
    values (sale, v_creator, creator_earning_cents(), p_at + interval '14 days',
      case when v_repeats then p_at end, case when v_repeats then 'guest-deal-repeat' end);
  outcome := 'opened';
end $$;
