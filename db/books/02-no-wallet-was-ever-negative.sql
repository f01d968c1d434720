-- No wallet is below zero, and none was at any moment of its history.
with touched as (
  select distinct p.owner_id from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
  where t.created_at >= $1 and p.account = 'wallet'
), history as (
  select p.owner_id, p.id, p.balance_after,
    sum(p.amount) over (partition by p.owner_id order by p.id) as running
  from ledger_postings p where p.account = 'wallet' and p.owner_id in (select owner_id from touched)
)
select owner_id as user_id, id as posting_id, running, balance_after from history
where running < 0 or running <> balance_after
union all
select user_id, null, balance_coins, null from wallets where balance_coins < 0
