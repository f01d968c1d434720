-- Each coin return has the number of coins that is due for its void tips, or for all tips of a sale that was made after
-- its races, has postings for the coins and for the change of the earning, and continues the previous coin return of
-- its sale. No sale returns more than 4 coins.
with rows as (
  select r.*, s.buyer_id, s.creator_id,
    (select coalesce(sum(part.share), 0) from unnest(s.tip_ids, s.shares_hundredths) as part (tip_id, share)
      where part.tip_id = any (r.tip_ids)) as hundredths,
    (select coalesce(sum(v.amount_cents), 0) from earning_reversals v
      where v.transaction_id = r.transaction_id)
    + (select coalesce(sum(o.amount_cents), 0) from earning_restorations o
      where o.reversal_transaction_id = r.transaction_id) as reversed_cents,
    (select coalesce(sum(o.amount_cents), 0) from earning_restorations o
      where o.transaction_id = r.transaction_id) as restored_cents
  from coin_returns r join sales s on s.id = r.sale_id
  where r.created_at >= $1
)
select r.sale_id || ' step ' || r.step as coin_return, 'the coins are not those due for its void tips' as problem
from rows r
where (r.coins > 0 and r.total_coins <> least(card_price_coins(), ceil(r.hundredths / 100.0)))
  or (r.coins = 0 and r.total_coins < least(card_price_coins(), ceil(r.hundredths / 100.0)))
union all
select r.sale_id || ' step ' || r.step, 'one of its tips was never void'
from rows r
where not r.is_sold_after_races and exists (select from unnest(r.tip_ids) void_tip
  where not exists (select from tips t where t.id = void_tip and t.result = 'void')
    and not exists (select from result_entries e where e.tip_id = void_tip and e.result = 'void'))
union all
select r.sale_id || ' step ' || r.step, 'it does not continue the previous coin return'
from rows r
where r.total_coins is distinct from
    (select sum(c.coins) from coin_returns c where c.sale_id = r.sale_id and c.step <= r.step)
  or r.step <> (select count(*) from coin_returns c where c.sale_id = r.sale_id and c.step <= r.step)
  or r.total_coins > card_price_coins()
union all
select r.sale_id || ' step ' || r.step, 'its postings differ from its coins or its change of the earning'
from rows r
where coalesce((select sum(p.amount) from ledger_postings p
    where p.transaction_id = r.transaction_id and p.owner_id = r.buyer_id
      and p.account in ('wallet', 'owed', 'forfeited')), 0) <> r.coins
  or coalesce((select sum(p.amount) from ledger_postings p
    where p.transaction_id = r.transaction_id and p.owner_id = r.creator_id
      and p.account = 'payable'), 0) <> r.restored_cents - r.reversed_cents - r.reduced_cents
union all
select t.reference, 'coins were returned without a coin return'
from ledger_transactions t
where t.created_at >= $1 and t.kind = 'reversal' and t.reference like 'void:%'
  and not exists (select from coin_returns r where r.transaction_id = t.id)
union all
select e.sale_id::text, 'the earning differs from its reductions'
from (select distinct sale_id from rows) changed join earnings e on e.sale_id = changed.sale_id
join sales s on s.id = e.sale_id
where e.amount_cents + (select sum(r.reduced_cents) from coin_returns r where r.sale_id = e.sale_id)
  <> s.earning_cents
