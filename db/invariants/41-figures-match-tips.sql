-- The stored figures of each creator match their officially settled tips: those that count with their wins, stakes
-- and profit at the starting price, and those that are void or late. Creators whose figures are to be computed
-- again are not compared.
with touched as (
  select creator_id from creator_figures where computed_at >= $1
  union
  select c.creator_id from tips t join race_cards c on c.id = t.race_card_id
  where t.settled_at >= $1
), actual as (
  select k.creator_id,
    count(*) filter (where s.outcome <> 'void' and not t.is_late) as settled,
    count(*) filter (where s.outcome in ('won', 'placed') and not t.is_late) as won,
    count(*) filter (where s.outcome = 'void') as void_tips,
    count(*) filter (where s.outcome <> 'void' and t.is_late) as late_tips,
    count(s.win_starting_price_return_cents) filter (where not t.is_late) as starting_price_tips,
    coalesce(sum(s.win_stake_cents)
      filter (where s.win_starting_price_return_cents is not null and not t.is_late), 0) as staked_cents,
    coalesce(sum(s.win_starting_price_return_cents - s.win_stake_cents) filter (where not t.is_late), 0)
      as profit_cents
  from touched k
  join race_cards c on c.creator_id = k.creator_id
  join tips t on t.race_card_id = c.id and t.settlement_version is not null
  join tip_settlements s on s.tip_id = t.id and s.version = t.settlement_version
  group by k.creator_id
)
select k.creator_id, f.settled as stored_settled, a.settled, f.won as stored_won, a.won,
  f.void_tips as stored_void, a.void_tips, f.late_tips as stored_late, a.late_tips,
  f.starting_price_tips as stored_priced, a.starting_price_tips, f.staked_cents as stored_staked, a.staked_cents,
  f.profit_cents as stored_profit, a.profit_cents
from touched k
left join actual a on a.creator_id = k.creator_id
left join creator_figures f on f.creator_id = k.creator_id
where not exists (select from stale_figures s where s.creator_id = k.creator_id)
  and (coalesce(f.settled, 0), coalesce(f.won, 0), coalesce(f.void_tips, 0), coalesce(f.late_tips, 0),
      coalesce(f.starting_price_tips, 0), coalesce(f.staked_cents, 0), coalesce(f.profit_cents, 0))
    is distinct from (coalesce(a.settled, 0), coalesce(a.won, 0), coalesce(a.void_tips, 0),
      coalesce(a.late_tips, 0), coalesce(a.starting_price_tips, 0), coalesce(a.staked_cents, 0),
      coalesce(a.profit_cents, 0))
