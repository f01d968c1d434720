-- No wallet balance is or was negative.
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
select w.user_id, null, w.balance_coins, null from touched o join wallets w on w.user_id = o.owner_id
where w.balance_coins < 0
union all
-- Only the nightly check reads all wallets.
select user_id, null, balance_coins, null from wallets
where $1 = '-infinity'::timestamptz and balance_coins < 0
