-- Nobody holds more coins than they bought, claimed or were given and did not give back. What customers are owed for
-- unspent coins is computed from these receipts.
with touched as (
  select distinct p.owner_id from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
  where t.created_at >= $1 and p.account = 'wallet'
)
select w.user_id, w.balance_coins, coalesce(sum(r.coins + r.gift_coins), 0) as received_coins
from touched o join wallets w on w.user_id = o.owner_id
left join coin_receipts r on r.user_id = w.user_id
group by w.user_id, w.balance_coins
having w.balance_coins > coalesce(sum(r.coins + r.gift_coins), 0)
