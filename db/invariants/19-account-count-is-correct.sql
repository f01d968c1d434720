-- The stored number of open accounts equals the actual number.
select stored, actual
from (select (select sum(open_users) from user_counts) as stored,
  (select count(*) from users where closed_at is null) as actual) n
-- Only the nightly check counts all accounts.
where $1 = '-infinity'::timestamptz and stored is distinct from actual
