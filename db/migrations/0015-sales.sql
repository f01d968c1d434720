-- Sales: an earning is not payable before its race was run.

-- Replaces the function of 0008-sales.sql, with the same parameters and result.
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
    values (sale, v_creator, creator_earning_cents(),
      greatest(p_at + interval '14 days', (v_race_date + 1)::timestamp at time zone 'Africa/Johannesburg'),
      case when v_repeats then p_at end, case when v_repeats then 'guest-deal-repeat' end);
  outcome := 'opened';
end $$;

-- Earnings of earlier sales that are not in a payout yet. A payout that was requested before keeps its earnings.
update earnings e set payable_at = (c.race_date + 1)::timestamp at time zone 'Africa/Johannesburg'
from sales s join race_cards c on c.id = s.race_card_id
where s.id = e.sale_id and e.payout_id is null
  and e.payable_at < (c.race_date + 1)::timestamp at time zone 'Africa/Johannesburg';
