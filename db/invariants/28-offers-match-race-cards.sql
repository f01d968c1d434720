-- The offer of each race card matches its tips, the reported off times and its creator. The check of each minute
-- compares the race cards of today and later; the nightly check compares all of them.
with compared as (
  select id from race_cards
  where race_date >= ($2::timestamptz at time zone 'Africa/Johannesburg')::date
    or $1 = '-infinity'::timestamptz
)
select c.id as race_card_id, o.tip_ids as offered_tips, n.tip_ids as tips, o.off_times as offered_off_times,
  n.off_times, o.closes_at as offered_until, n.closes_at, o.is_suspended as is_offer_suspended, n.is_suspended
from compared c
left join race_card_offers o on o.race_card_id = c.id
cross join lateral compute_offer(c.id) n
where o.* is distinct from n.*
