-- Sales: a race card that was sold after its races, because their off times were learnt later. Its coins are returned.

-- When a guest ordered the race card, which was on sale then; null if the buyer opened it at once.
alter table sales add column ordered_at timestamptz check (ordered_at <= created_at);
alter table sales disable trigger sales_append_only;
update sales s set ordered_at = o.created_at
from orders o
where o.user_id = s.buyer_id and o.race_card_id = s.race_card_id and o.guest_outcome is not null
  and o.created_at <= s.created_at;
alter table sales enable trigger sales_append_only;

-- True for a coin return of a sale that was made after its races; it covers all its tips.
alter table coin_returns add column is_sold_after_races boolean not null default false;

-- Returns true if a sale was made, or ordered by a guest, at or after the last known off of its races. False while the
-- off of one of them is unknown.
create function is_sold_after_races(p_sale bigint) returns boolean language sql stable as $$
  select coalesce(s.ordered_at, s.created_at) >= max(coalesce(r.off_at, 'infinity'))
  from sales s join race_cards c on c.id = s.race_card_id
  join tips t on t.id = any (s.tip_ids)
  left join race_off_times r on r.venue_id = c.venue_id and r.race_date = c.race_date
    and r.race_number = t.race_number
  where s.id = p_sale group by s.id
$$;

-- Replaces the function of 0018-sales.sql, with another last parameter and the same result.
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
--   p_ordered_at              when a guest whose payment opens the race card started it; the race card, which was on
--                             sale then, can be opened until the end of its day
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
drop function unlock_race_card(uuid, uuid, text, timestamptz, integer, boolean);
create function unlock_race_card(
  p_buyer uuid, p_card uuid, p_idempotency_key text, p_at timestamptz,
  p_acknowledged_races_run integer default null, p_ordered_at timestamptz default null,
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
    or p_at >= (case when p_ordered_at is not null
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
      transaction_id, idempotency_key, created_at, ordered_at, price_cents, earning_cents)
    values (p_buyer, p_card, v_creator, card_price_coins(), v_tip_ids, split_price(races),
      v_transaction, p_idempotency_key, p_at, p_ordered_at, v_price_cents, v_earning_cents)
    returning id into sale;
  insert into earnings (sale_id, creator_id, amount_cents, payable_at, held_at, held_reason)
    values (sale, v_creator, v_earning_cents,
      greatest(p_at + interval '14 days', (v_race_date + 1)::timestamp at time zone 'Africa/Johannesburg'),
      case when v_repeats then p_at end, case when v_repeats then 'guest-deal-repeat' end);
  outcome := 'opened';
end $$;
