-- The balance, the owed coins and the forfeited coins of each wallet equal the sums of their postings.
with touched as (
  select distinct p.owner_id from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
  where t.created_at >= $1 and p.owner_id is not null and p.account in ('wallet', 'owed', 'forfeited')
  union
  -- Wallets that have coins or owe coins without a posting. Only the nightly check reads all wallets.
  select w.user_id from wallets w where (w.balance_coins <> 0 or w.owed_coins <> 0 or w.forfeited_coins <> 0)
    and ($1 = '-infinity'::timestamptz)
), sums as (
  select o.owner_id,
    coalesce(sum(p.amount) filter (where p.account = 'wallet'), 0) as coins,
    coalesce(-sum(p.amount) filter (where p.account = 'owed'), 0) as owed,
    coalesce(sum(p.amount) filter (where p.account = 'forfeited'), 0) as forfeited
  from touched o left join ledger_postings p on p.owner_id = o.owner_id
    and p.account in ('wallet', 'owed', 'forfeited')
  group by o.owner_id
)
select s.owner_id as user_id, w.balance_coins, s.coins as posted_coins, w.owed_coins, s.owed as posted_owed,
  w.forfeited_coins, s.forfeited as posted_forfeited
from sums s left join wallets w on w.user_id = s.owner_id
where w.balance_coins is distinct from s.coins or w.owed_coins is distinct from s.owed
  or w.forfeited_coins is distinct from s.forfeited
