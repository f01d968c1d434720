-- Each sale returns the coins for its void tips within five minutes: the shares of these tips, rounded up to
-- whole coins, at most 4. A sale that was made after its last race returns all 4. Within the same time, the earning of
-- the sale is reduced by the part of each coin that is due or that lost payments left unpaid, and reversed when these
-- are all 4 coins. An earning in a payment file or a paid payout keeps its amount.
with touched as (
  select distinct race_card_id from tips
  where result = 'void' and settled_at >= $1::timestamptz - interval '10 minutes'
),
-- The race days whose off times may have changed, and when.
changed as materialized (
  select venue_id, race_date, max(changed_at) as changed_at from (
    select venue_id, race_date, reported_at as changed_at from race_days
    where reported_at >= $1::timestamptz - interval '10 minutes'
    union all
    select d.venue_id, d.race_date, r.confirmed_at
    from race_results r cross join lateral (
      select venue_id, race_date from race_days where id = r.race_day_id offset 0) d
    where r.confirmed_at >= $1::timestamptz - interval '10 minutes'
  ) x group by 1, 2
), late as (
  select s.id, d.changed_at
  from changed d cross join lateral (
    select min(o.off_at) as first_off_at from race_off_times o
    where o.venue_id = d.venue_id and o.race_date = d.race_date) o
  join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
  join sales s on s.race_card_id = c.id and s.created_at >= o.first_off_at
  where is_sold_after_races(s.id)
), due as (
  select s.id, sum(part.share) as hundredths
  from touched c join sales s on s.race_card_id = c.race_card_id
  cross join unnest(s.tip_ids, s.shares_hundredths) as part (tip_id, share)
  join tips t on t.id = part.tip_id
  where t.result = 'void' and t.settled_at < $2::timestamptz - interval '5 minutes'
  group by s.id
  union all
  select l.id, 100 * card_price_coins() from late l where l.changed_at < $2::timestamptz - interval '5 minutes'
),
-- Sales whose earning is not all of its amount: those with a void tip, those with a coin return, because their tips may
-- have been corrected since, those that were made after their races, and those that lack coins.
affected as (
  select s.id from touched c join sales s on s.race_card_id = c.race_card_id
  union
  select l.id from late l
  union
  select r.sale_id from coin_returns r where r.created_at >= $1::timestamptz - interval '10 minutes'
  union
  select e.sale_id from earnings e where e.lacking_coins > 0
  union
  select r.sale_id from tips t join sales s on s.race_card_id = t.race_card_id
    join coin_returns r on r.sale_id = s.id
    where $1::timestamptz > '-infinity' and t.settled_at >= $1::timestamptz - interval '10 minutes'
), earning as (
  select e.sale_id, e.amount_cents, s.earning_cents, s.price_coins, r.reason as reversed,
    due.coins + e.lacking_coins as coins
  from affected a join sales s on s.id = a.id join earnings e on e.sale_id = s.id
  join race_cards c on c.id = s.race_card_id
  left join changed d on d.venue_id = c.venue_id and d.race_date = c.race_date
  left join earning_reversals r on r.sale_id = s.id
  left join payouts o on o.id = e.payout_id
  cross join lateral (
    select case when is_sold_after_races(s.id) then card_price_coins()
        else least(card_price_coins(), ceil(coalesce(
          sum(part.share) filter (where t.result = 'void'), 0) / 100.0))::integer end as coins,
      greatest(max(t.settled_at), d.changed_at) as settled_at
    from unnest(s.tip_ids, s.shares_hundredths) as part (tip_id, share) join tips t on t.id = part.tip_id
  ) due
  where o.export_id is null and o.status is distinct from 'paid' and (r.reason is null or r.reason in ('lost', 'void'))
    and coalesce(due.settled_at, '-infinity') < $2::timestamptz - interval '5 minutes'
)
select d.id::text as sale, 'the coins that are due were not returned' as problem
from due d
where coalesce((select sum(c.coins) from coin_returns c where c.sale_id = d.id), 0)
    < least(card_price_coins(), ceil(d.hundredths / 100.0))
  and not exists (select from earning_reversals r where r.sale_id = d.id
    and r.reason in ('refund', 'dispute'))
union all
select e.sale_id::text, 'the earning does not match its due and lacking coins'
from earning e
where (e.reversed is not null) <> (e.coins >= card_price_coins())
  or (e.coins < card_price_coins()
    and e.amount_cents <> e.earning_cents - earning_of_coins(e.earning_cents, e.price_coins, e.coins))
