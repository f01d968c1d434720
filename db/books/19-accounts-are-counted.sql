-- The stored number of open accounts is correct.
select kept, counted
from (select (select sum(open_users) from user_counts) as kept,
  (select count(*) from users where closed_at is null) as counted) n
-- Counting them reads them all, which the nightly reading does.
where $1 = '-infinity'::timestamptz and kept is distinct from counted
