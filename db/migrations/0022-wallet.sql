-- Wallets: a closed account receives no coins. What would come to it goes to the house, which keeps count of them per
-- account, so that a refund takes back these coins before it reverses what a creator earned.

alter table wallets
  add column closed_at timestamptz,
  -- The coins of a closed account that the house has: those that were left in it and those that came since.
  add column forfeited_coins integer not null default 0 check (forfeited_coins >= 0),
  add constraint wallets_closed check (closed_at is null or balance_coins = 0);

-- Replaces the function of 0003-wallet.sql: forfeited coins belong to an account.
create or replace function is_valid_posting(
  account text, owner_id uuid, unit text, amount bigint, balance_after integer
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return amount <> 0 and case account
    when 'wallet' then unit = 'coin' and owner_id is not null and coalesce(balance_after, -1) >= 0
    when 'owed' then unit = 'coin' and owner_id is not null and balance_after is null
    when 'sold' then unit = 'coin' and owner_id is null and balance_after is null
    when 'welcome' then unit = 'coin' and owner_id is null and balance_after is null
    when 'granted' then unit = 'coin' and owner_id is null and balance_after is null
    when 'redeemed' then unit = 'coin' and owner_id is null and balance_after is null
    -- Without an owner before this migration.
    when 'forfeited' then unit = 'coin' and balance_after is null
    when 'payable' then unit = 'cent' and owner_id is not null and balance_after is null
    when 'commission' then unit = 'cent' and owner_id is null and balance_after is null
    when 'provider' then unit = 'cent' and owner_id is null and balance_after is null
    when 'coin sales' then unit = 'cent' and owner_id is null and balance_after is null
    when 'bank' then unit = 'cent' and owner_id is null and balance_after is null
    else false
  end;
end $$;

-- Replaces the function of 0003-wallet.sql, with the same parameters and result.
--
-- Writes one ledger transaction with its postings and updates the affected wallets. Returns the id of the
-- transaction. If a transaction with this kind and reference exists, returns null and changes nothing.
--
--   p_postings  an array of {account, owner, unit, amount}, with at most one posting to each wallet
--
-- A posting to the wallet of a closed account is made to its forfeited coins instead.
--
-- Refuses a transaction that would take a wallet, a debt or the forfeited coins of an account below zero, or that
-- does not balance (check_violation).
--
-- Locks the wallets whose coins change, in the order of their owners, so that concurrent postings cannot deadlock.
-- Wallets of creators whose earnings (payable) change are not locked.
create or replace function post_to_ledger(p_kind text, p_reference text, p_at timestamptz, p_postings jsonb)
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
     where posting ->> 'account' in ('wallet', 'owed', 'forfeited'))
    order by user_id for update;

  with requested as (
    select posting ->> 'account' as account, (posting ->> 'owner')::uuid as owner,
      posting ->> 'unit' as unit, (posting ->> 'amount')::bigint as amount
    from jsonb_array_elements(p_postings) posting
  ), postings as (
    select case when w.closed_at is null then r.account else 'forfeited' end as account, r.owner, r.unit, r.amount
    from requested r left join wallets w on r.account = 'wallet' and w.user_id = r.owner
  ), updated as (
    update wallets w set
      balance_coins = w.balance_coins + coalesce(
        (select sum(amount) from postings where account = 'wallet' and owner = w.user_id), 0),
      owed_coins = w.owed_coins - coalesce(
        (select sum(amount) from postings where account = 'owed' and owner = w.user_id), 0),
      forfeited_coins = w.forfeited_coins + coalesce(
        (select sum(amount) from postings where account = 'forfeited' and owner = w.user_id), 0)
    where w.user_id in (select owner from postings where account in ('wallet', 'owed', 'forfeited'))
    returning w.user_id, w.balance_coins
  )
  insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after)
    select v_transaction, p.account, p.owner, p.unit, p.amount,
      case when p.account = 'wallet' then u.balance_coins end
    from postings p left join updated u on u.user_id = p.owner;
  return v_transaction;
end $$;

-- Moves the forfeited coins of accounts that were closed before to their owners, with what came to them since.
select post_to_ledger('forfeit', 'closed:' || c.user_id, now(), (
  select jsonb_agg(posting) from (values
    (jsonb_build_object('account', 'wallet', 'owner', c.user_id, 'unit', 'coin', 'amount', -c.balance), c.balance),
    (jsonb_build_object('account', 'forfeited', 'unit', 'coin', 'amount', -c.forfeited), c.forfeited),
    (jsonb_build_object('account', 'forfeited', 'owner', c.user_id, 'unit', 'coin', 'amount', c.balance + c.forfeited),
      c.balance + c.forfeited)) moved (posting, amount)
  where amount <> 0))
from (
  select w.user_id, w.balance_coins as balance, coalesce((
    select sum(p.amount) from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
    where t.kind = 'forfeit' and t.reference = 'account:' || w.user_id and p.account = 'forfeited'), 0) as forfeited
  from wallets w join users u on u.id = w.user_id where u.closed_at is not null
) c
where c.balance + c.forfeited > 0;
update wallets w set closed_at = u.closed_at from users u where u.id = w.user_id and u.closed_at is not null;

-- Trigger function: closes the wallet of an account that is closed. The caller must forfeit its coins before.
create function close_wallet() returns trigger language plpgsql as $$
begin
  update wallets set closed_at = new.closed_at where user_id = new.id;
  return null;
end $$;
create trigger users_close_wallet after update of closed_at on users
  for each row when (old.closed_at is null and new.closed_at is not null) execute function close_wallet();
