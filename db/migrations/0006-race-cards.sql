-- One row is one opened card: what was paid, by whom, and what each of its races carried.
create table sales (
  id bigint generated always as identity primary key,
  buyer_id uuid not null references users,
  race_card_id uuid not null references race_cards,
  creator_id uuid not null,
  price_coins smallint not null check (price_coins = 4),
  tip_ids uuid[] not null,
  shares_hundredths smallint[] not null,
  transaction_id bigint not null unique references ledger_transactions,
  request_key text,
  created_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id(),
  unique (buyer_id, race_card_id),
  check (buyer_id <> creator_id),
  check (cardinality(tip_ids) = cardinality(shares_hundredths)),
  check (total(shares_hundredths) = 400)
);
create index sales_buyer_newest on sales (buyer_id, id desc);
create index sales_creator_newest on sales (creator_id, id desc);
create index sales_card on sales (race_card_id);
create index sales_newest on sales (created_at);
create index sales_xid on sales (created_xid, id);
create trigger sales_append_only before update or delete on sales
  for each row execute function refuse_change();
create trigger sales_keep before truncate on sales
  for each statement execute function refuse_change();

create table payouts (
  id uuid primary key default new_id(),
  creator_id uuid not null references creators,
  amount_cents bigint not null check (amount_cents >= 10000),
  status text not null default 'requested' check (status in ('requested', 'processing', 'paid')),
  requested_at timestamptz not null,
  processing_at timestamptz,
  paid_at timestamptz,
  transaction_id bigint unique references ledger_transactions,
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'paid') = (transaction_id is not null))
);
create unique index payouts_open on payouts (creator_id) where status <> 'paid';
create index payouts_newest on payouts (requested_at desc, id desc);

create table earnings (
  sale_id bigint primary key references sales,
  creator_id uuid not null,
  amount_cents integer not null check (amount_cents = 2800),
  payable_at timestamptz not null,
  held_at timestamptz,
  held_reason text,
  payout_id uuid references payouts,
  check ((held_at is null) = (held_reason is null)),
  check (held_at is null or payout_id is null)
);
create index earnings_creator on earnings (creator_id, sale_id desc);
create index earnings_unpaid on earnings (creator_id, payable_at) where payout_id is null;
create index earnings_payout on earnings (payout_id) where payout_id is not null;
create index earnings_held on earnings (held_at) where held_at is not null;

create table earning_reversals (
  sale_id bigint primary key references earnings,
  reason text not null check (reason in ('refund', 'dispute', 'void')),
  transaction_id bigint not null unique references ledger_transactions,
  created_at timestamptz not null
);
create trigger earning_reversals_append_only before update or delete on earning_reversals
  for each row execute function refuse_change();

create table bank_details (
  creator_id uuid primary key references creators,
  sealed text not null,
  account_ending text not null,
  changed_at timestamptz not null
);

-- The tips as existing clients know them: one row a race that a sale opened.
create view user_unlocked_tips as
  select s.buyer_id as user_id, part.tip_id, part.share / 100.0 as coins_spent,
    s.created_at as unlocked_at
  from sales s, unnest(s.tip_ids, s.shares_hundredths) as part (tip_id, share);

-- Opens a race card for one buyer: wallet, postings, sale and earning together or not at all, in one
-- call. This is the one place that writes the tables of several features (decision record 0003).
-- Answers one row. The outcome is 'opened', 'already' (open before: no charge) or the first refusal
-- that holds, in the order of src/domain/refusal.ts. balance_coins is the wallet afterwards.
--   p_seen_run  how many of its races the buyer has been told are over; null asks for no such check
--   p_paid_for  the card was on sale when the buyer left to pay for it: then it opens until its date ends
create function unlock_race_card(
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
  select array_agg(o.id order by o.race_number), count(*), count(*) filter (where o.off_at <= p_at),
    coalesce(max(o.off_at), (v_card.race_date + time '18:00') at time zone 'Africa/Johannesburg')
  into v_tip_ids, v_races, v_run, v_closes_at
  from (
    select t.id, t.race_number, coalesce(r.off_at, t.given_off_at) as off_at
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
  if v_wallet.owed_coins > 0 or v_wallet.frozen_at is not null then
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
  -- friend: the earning waits for a look.
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
