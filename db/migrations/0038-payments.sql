-- Payments: the money of customers, which is what they paid for coins that they have not spent.

-- What users received: bought coins, with the welcome coins of their purchase, the coins of claim codes, and grants.
-- coins: bought coins that were not taken back. gift_coins: coins that nobody paid for. remaining_cents: what was paid
-- and neither refunded nor lost.
create view coin_receipts as
select p.user_id, p.transaction_id, p.id as purchase_id, p.created_at as bought_at,
  p.coins - p.recovered_coins as coins,
  case when p.refunded_cents + p.lost_cents < p.amount_cents then p.welcome_coins else 0 end as gift_coins,
  p.coins as total_coins, p.amount_cents as total_cents,
  least(p.amount_cents, p.refunded_cents + p.lost_cents) as returned_cents,
  greatest(0, p.amount_cents - p.refunded_cents - p.lost_cents) as remaining_cents,
  p.payment_id is not null as is_refundable
from coin_purchases p
union all
select r.claimed_by, r.claim_transaction_id, r.purchase_id, p.created_at, r.coins, 0, r.coins, r.amount_cents,
  least(p.amount_cents, p.refunded_cents + p.lost_cents), r.amount_cents, false
from unspent_coin_refunds r join coin_purchases p on p.id = r.purchase_id
where r.claimed_by is not null
union all
select l.owner_id, t.id, null, null, 0, sum(l.amount)::integer, 0, 0, 0, 0, false
from ledger_postings l join ledger_transactions t on t.id = l.transaction_id
where l.account in ('wallet', 'owed') and t.kind = 'grant' and l.owner_id is not null
group by l.owner_id, t.id;

-- Returns the bought coins among the last p_balance that a user received, the newest first: the oldest coins are spent
-- first, and those of a purchase before its welcome coins. Welcome coins and grants are not returned. amount_cents is
-- what was paid for the coins, rounded up so that refunding it takes all of them.
create function list_unspent_coins(p_user uuid, p_balance integer) returns table (
  purchase_id uuid, bought_at timestamptz, coins integer, amount_cents integer, returned_cents integer,
  is_refundable boolean)
language sql stable parallel safe as $$
  with placed as (
    select r.*, p_balance - coalesce(sum(r.coins + r.gift_coins) over (
      order by r.transaction_id desc, r.purchase_id rows between unbounded preceding and 1 preceding), 0) as left_coins
    from coin_receipts r where r.user_id = p_user
  ), unspent as (
    select *, least(greatest(left_coins - gift_coins, 0), placed.coins)::integer as unspent_coins from placed
  ), valued as (
    select *, case when unspent_coins = unspent.coins then remaining_cents
      else least(remaining_cents, ceil(total_cents::numeric * unspent_coins / total_coins))::integer end as value_cents
    from unspent where unspent_coins > 0
  )
  select v.purchase_id, v.bought_at, v.unspent_coins, v.value_cents, v.returned_cents, v.is_refundable
  from valued v where v.value_cents > 0
  order by v.transaction_id desc, v.purchase_id
$$;

-- The money of customers at the end of each night, by the age of the purchases.
create table customer_money_days (
  day date not null,
  -- Purchases of at most this many days; null: all older ones.
  max_age_days integer,
  purchases integer not null check (purchases >= 0),
  coins bigint not null check (coins >= 0),
  amount_cents bigint not null check (amount_cents >= 0),
  summed_at timestamptz not null,
  unique nulls not distinct (day, max_age_days)
);

create index unspent_coin_refunds_due on unspent_coin_refunds (status) where status in ('requested', 'failed');
create index wallets_owing on wallets (owed_coins desc, user_id) where owed_coins > 0;
