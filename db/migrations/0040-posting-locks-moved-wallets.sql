-- Posting locks the wallets that it moves and no others. It used to lock the wallet of every owner it
-- named, creators' included, whose earnings (payable) move no wallet: two refunds that reversed sales of
-- the same creators in another order then waited for each other (8 of 24 pairs deadlocked).
create or replace function post_to_ledger(p_kind text, p_reference text, p_at timestamptz, p_postings jsonb)
returns bigint language plpgsql as $$
declare
  new_transaction bigint;
begin
  insert into ledger_transactions (kind, reference, created_at)
    values (p_kind, p_reference, p_at)
    on conflict (kind, reference) do nothing
    returning id into new_transaction;
  if new_transaction is null then return null; end if;

  -- In the order of their owners, so that two postings never wait for each other.
  perform 1 from wallets where user_id in
    (select (each ->> 'owner')::uuid from jsonb_array_elements(p_postings) each
     where each ->> 'account' in ('wallet', 'owed'))
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
