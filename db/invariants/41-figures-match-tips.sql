-- The stored figures of each creator match their officially settled tips: those that count with their wins, stakes
-- and profit at the starting price, and those that are void or late. The stored returns by venue and by type add up to
-- the same. Creators whose figures are to be computed again are not compared.
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
), compared as (
  select k.creator_id,
    array[f.settled, f.won, f.void_tips, f.late_tips, f.starting_price_tips, f.staked_cents, f.profit_cents]::numeric[]
      as stored,
    array[a.settled, a.won, a.void_tips, a.late_tips, a.starting_price_tips, a.staked_cents, a.profit_cents]::numeric[]
      as actual,
    array[r.tips, r.staked_cents, r.profit_cents, r.venue_profit_cents, r.type_profit_cents]::numeric[]
      as stored_returns,
    array[a.starting_price_tips, a.staked_cents, a.profit_cents, a.profit_cents, a.profit_cents]::numeric[]
      as actual_returns
  from touched k
  left join actual a on a.creator_id = k.creator_id
  left join creator_figures f on f.creator_id = k.creator_id
  left join lateral (
    select sum(y.tips) filter (where x.is_total) as tips, sum(y.staked_cents) filter (where x.is_total) as staked_cents,
      sum(y.profit_cents) filter (where x.is_total) as profit_cents,
      sum(y.profit_cents) filter (where x.is_venue) as venue_profit_cents,
      sum(y.profit_cents) filter (where x.is_type) as type_profit_cents
    from creator_returns y
    cross join lateral (select
      y.venue_id = '00000000-0000-0000-0000-000000000000' and y.tip_type = '' as is_total,
      y.venue_id <> '00000000-0000-0000-0000-000000000000' and y.tip_type = '' as is_venue,
      y.venue_id = '00000000-0000-0000-0000-000000000000' and y.tip_type <> '' as is_type) x
    where y.creator_id = k.creator_id
  ) r on true
  where not exists (select from stale_figures s where s.creator_id = k.creator_id)
)
select creator_id, stored, actual, stored_returns, actual_returns from compared
where array(select coalesce(n, 0) from unnest(stored) n) is distinct from
    array(select coalesce(n, 0) from unnest(actual) n)
  or array(select coalesce(n, 0) from unnest(stored_returns) n) is distinct from
    array(select coalesce(n, 0) from unnest(actual_returns) n)
