create table wallets (
  user_id uuid primary key references users,
  balance_coins integer not null default 0 check (balance_coins >= 0),
  -- What a refund or dispute could not take back; a purchase repays it first.
  owed_coins integer not null default 0 check (owed_coins >= 0),
  -- Set while a dispute about this user's payment is open.
  frozen_at timestamptz,
  -- Welcome coins came with the first purchase: sales from here are watched for repetition.
  guest_deal_at timestamptz
) with (fillfactor = 80);

create table ledger_transactions (
  id bigint generated always as identity primary key,
  kind text not null check (kind in
    ('purchase', 'welcome', 'grant', 'unlock', 'reversal', 'refund', 'dispute', 'payout', 'forfeit')),
  reference text not null check (reference <> ''),
  created_at timestamptz not null,
  unique (kind, reference)
);
create index ledger_transactions_newest on ledger_transactions (created_at);

create table ledger_postings (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references ledger_transactions,
  account text not null,
  owner_id uuid,
  unit text not null,
  amount bigint not null check (amount <> 0),
  -- The wallet after this posting: with the row that is its history, and never below zero.
  balance_after integer check (balance_after >= 0),
  constraint ledger_postings_account check (
    case account
      when 'wallet' then unit = 'coin' and owner_id is not null and balance_after is not null
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
    end)
);
create index ledger_postings_transaction on ledger_postings (transaction_id);
create index ledger_postings_owner on ledger_postings (owner_id, account, id desc)
  where owner_id is not null;

-- The postings of a transaction come in one statement, and that statement balances in each unit.
create function check_postings_balance() returns trigger language plpgsql as $$
declare
  unbalanced bigint;
begin
  select transaction_id into unbalanced from added
  group by transaction_id, unit having sum(amount) <> 0 or count(*) < 2 limit 1;
  if found then
    raise exception 'ledger transaction % does not balance', unbalanced
      using errcode = 'check_violation', constraint = 'ledger_postings_balance';
  end if;
  return null;
end $$;
create trigger ledger_postings_balance after insert on ledger_postings
  referencing new table as added
  for each statement execute function check_postings_balance();

create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function refuse_change();
create trigger ledger_postings_keep before truncate on ledger_postings
  for each statement execute function refuse_change();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function refuse_change();
create trigger ledger_transactions_keep before truncate on ledger_transactions
  for each statement execute function refuse_change();

-- Writes one ledger transaction with its postings and moves the wallets they name. Each posting is
-- {account, owner, unit, amount}; of a wallet there is at most one in a transaction. Returns the
-- transaction's id, or null when this (kind, reference) has been posted before: then nothing moves.
-- A wallet that would go below zero refuses the whole of it (check_violation).
create function post_to_ledger(p_kind text, p_reference text, p_at timestamptz, p_postings jsonb)
returns bigint language plpgsql as $$
declare
  new_transaction bigint;
begin
  insert into ledger_transactions (kind, reference, created_at)
    values (p_kind, p_reference, p_at)
    on conflict (kind, reference) do nothing
    returning id into new_transaction;
  if new_transaction is null then return null; end if;

  -- Wallets are locked in the order of their owners, so that two postings never wait crosswise.
  perform 1 from wallets where user_id in
    (select (each ->> 'owner')::uuid from jsonb_array_elements(p_postings) each)
    order by user_id for update;

  with given as (
    select each ->> 'account' as account, (each ->> 'owner')::uuid as owner,
      each ->> 'unit' as unit, (each ->> 'amount')::bigint as amount
    from jsonb_array_elements(p_postings) each
  ), moved as (
    update wallets w set
      balance_coins = w.balance_coins + coalesce(
        (select sum(amount) from given where account = 'wallet' and owner = w.user_id), 0),
      owed_coins = w.owed_coins - coalesce(
        (select sum(amount) from given where account = 'owed' and owner = w.user_id), 0)
    where w.user_id in (select owner from given where account in ('wallet', 'owed'))
    returning w.user_id, w.balance_coins
  )
  insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after)
    select new_transaction, g.account, g.owner, g.unit, g.amount,
      case when g.account = 'wallet' then m.balance_coins end
    from given g left join moved m on m.user_id = g.owner;
  return new_transaction;
end $$;
