-- Wallet: balances and the double-entry ledger of coins and cents.

-- One wallet per user. The fill factor leaves room for updates in place (HOT).
create table wallets (
  -- References users (0004-identity.sql).
  user_id uuid primary key,
  balance_coins integer not null default 0 check (balance_coins >= 0),
  -- Coins that a refund or dispute could not recover; the next purchase repays them first.
  owed_coins integer not null default 0 check (owed_coins >= 0),
  -- Set while a dispute about a payment of this user is open.
  frozen_at timestamptz,
  -- When the user received welcome coins. Repeated purchases from one creator are then held for review.
  guest_deal_at timestamptz
) with (fillfactor = 80);

-- Returns true if a ledger transaction has a known kind and a reference.
--
-- One plpgsql function has all checks of the table, because PostgreSQL parses the text of every check constraint
-- for each statement, which costs more than inserting the row, but caches the body of a plpgsql function.
create function is_valid_ledger_transaction(kind text, reference text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return reference <> '' and kind in
    ('purchase', 'welcome', 'grant', 'unlock', 'reversal', 'refund', 'dispute', 'payout', 'forfeit');
end $$;

-- (kind, reference) is the idempotency key of a transaction.
create table ledger_transactions (
  id bigint generated always as identity primary key,
  kind text not null,
  reference text not null,
  created_at timestamptz not null,
  unique (kind, reference),
  constraint ledger_transactions_valid check (is_valid_ledger_transaction(kind, reference))
);
create index ledger_transactions_newest on ledger_transactions (created_at);

-- Returns true if the amount of a posting is not zero and its unit, owner and balance fit its account. Coin
-- accounts: wallet, owed, sold, welcome, granted, redeemed, forfeited. Cent accounts: payable, commission,
-- provider, coin sales, bank.
create function is_valid_posting(account text, owner_id uuid, unit text, amount bigint, balance_after integer)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return amount <> 0 and case account
    when 'wallet' then unit = 'coin' and owner_id is not null and coalesce(balance_after, -1) >= 0
    when 'owed' then unit = 'coin' and owner_id is not null and balance_after is null
    when 'sold' then unit = 'coin' and owner_id is null and balance_after is null
    when 'welcome' then unit = 'coin' and owner_id is null and balance_after is null
    when 'granted' then unit = 'coin' and owner_id is null and balance_after is null
    when 'redeemed' then unit = 'coin' and owner_id is null and balance_after is null
    when 'forfeited' then unit = 'coin' and owner_id is null and balance_after is null
    when 'payable' then unit = 'cent' and owner_id is not null and balance_after is null
    when 'commission' then unit = 'cent' and owner_id is null and balance_after is null
    when 'provider' then unit = 'cent' and owner_id is null and balance_after is null
    when 'coin sales' then unit = 'cent' and owner_id is null and balance_after is null
    when 'bank' then unit = 'cent' and owner_id is null and balance_after is null
    else false
  end;
end $$;

create table ledger_postings (
  id bigint generated always as identity,
  -- References ledger_transactions; the trigger ledger_postings_balance checks it.
  transaction_id bigint not null,
  account text not null,
  owner_id uuid,
  unit text not null,
  amount bigint not null,
  -- The balance of the wallet after this posting; null for other accounts.
  balance_after integer,
  primary key (transaction_id, id),
  constraint ledger_postings_valid check (is_valid_posting(account, owner_id, unit, amount, balance_after))
);
create index ledger_postings_owner on ledger_postings (owner_id, account, id desc)
  where owner_id is not null;

-- Trigger function: refuses postings of a transaction that do not sum to zero in each unit, or whose
-- transaction does not exist (check_violation, constraint ledger_postings_balance). A single posting cannot
-- sum to zero, because no amount is zero. All postings of a transaction must be inserted in one statement.
--
-- Replaces a foreign key, which would lock the transaction once per posting. No lock is needed, because
-- ledger transactions are never deleted and their ids never change.
create function check_postings_balance() returns trigger language plpgsql as $$
declare
  v_transaction bigint;
begin
  -- Nearly every insert is of one transaction, which needs no grouping.
  if (select min(p.transaction_id) = max(p.transaction_id)
      and exists (select from ledger_transactions t where t.id = min(p.transaction_id))
      and coalesce(sum(p.amount) filter (where p.unit = 'coin'), 0) = 0
      and sum(p.amount) = 0
    from new_postings p) then
    return null;
  end if;
  select p.transaction_id into v_transaction
  from new_postings p left join ledger_transactions t on t.id = p.transaction_id
  group by p.transaction_id, p.unit
  having sum(p.amount) <> 0 or bool_or(t.id is null) limit 1;
  if found then
    raise exception 'ledger transaction % does not balance or does not exist', v_transaction
      using errcode = 'check_violation', constraint = 'ledger_postings_balance';
  end if;
  return null;
end $$;
create trigger ledger_postings_balance after insert on ledger_postings
  referencing new table as new_postings
  for each statement execute function check_postings_balance();

create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function refuse_change();
create trigger ledger_postings_no_truncate before truncate on ledger_postings
  for each statement execute function refuse_change();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function refuse_change();
create trigger ledger_transactions_no_truncate before truncate on ledger_transactions
  for each statement execute function refuse_change();

-- Writes one ledger transaction with its postings and updates the affected wallets. Returns the id of the
-- transaction. If a transaction with this kind and reference exists, returns null and changes nothing.
--
--   p_postings  an array of {account, owner, unit, amount}, with at most one posting to each wallet
--
-- Refuses a transaction that would take a wallet or a debt below zero, or that does not balance
-- (check_violation).
--
-- Locks the wallets whose balance or debt changes, in the order of their owners, so that concurrent
-- postings cannot deadlock. Wallets of creators whose earnings (payable) change are not locked.
create function post_to_ledger(p_kind text, p_reference text, p_at timestamptz, p_postings jsonb)
returns bigint language plpgsql as $$
declare
  v_transaction bigint;
begin
  insert into ledger_transactions (kind, reference, created_at)
    values (p_kind, p_reference, p_at)
    on conflict (kind, reference) do nothing
    returning id into v_transaction;
  if v_transaction is null then return null; end if;

  perform 1 from wallets where user_id in
    (select (posting ->> 'owner')::uuid from jsonb_array_elements(p_postings) posting
     where posting ->> 'account' in ('wallet', 'owed'))
    order by user_id for update;

  with postings as (
    select posting ->> 'account' as account, (posting ->> 'owner')::uuid as owner,
      posting ->> 'unit' as unit, (posting ->> 'amount')::bigint as amount
    from jsonb_array_elements(p_postings) posting
  ), updated as (
    update wallets w set
      balance_coins = w.balance_coins + coalesce(
        (select sum(amount) from postings where account = 'wallet' and owner = w.user_id), 0),
      owed_coins = w.owed_coins - coalesce(
        (select sum(amount) from postings where account = 'owed' and owner = w.user_id), 0)
    where w.user_id in (select owner from postings where account in ('wallet', 'owed'))
    returning w.user_id, w.balance_coins
  )
  insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after)
    select v_transaction, p.account, p.owner, p.unit, p.amount,
      case when p.account = 'wallet' then u.balance_coins end
    from postings p left join updated u on u.user_id = p.owner;
  return v_transaction;
end $$;
