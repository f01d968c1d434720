-- A closed account has no coins, payable earnings, open payout, bank details, public profile, role or password. No open
-- account has an email address that is reserved for closed accounts.
select u.id::text as subject, 'closed but still owed money' as problem
from users u
where u.closed_at >= $1
  and (select coalesce(sum(p.amount), 0) from ledger_postings p
    where p.owner_id = u.id and p.account = 'payable') > 0
union all
select u.id::text, 'closed but has an open payout'
from users u
where u.closed_at >= $1
  and exists (select from payouts o where o.creator_id = u.id and o.status in ('requested', 'processing'))
union all
select u.id::text, 'closed but still has a role or password'
from users u
where u.closed_at >= $1
  and (exists (select from user_roles r where r.user_id = u.id)
    or exists (select from credentials c where c.user_id = u.id))
union all
select u.id::text, 'open but has an address reserved for closed accounts'
from users u
where u.created_at >= $1 and u.closed_at is null and u.email like '%.invalid'
union all
select u.id::text, 'closed but its bank details or profile were not erased'
from users u join creators c on c.user_id = u.id
where u.closed_at >= $1
  and (c.profile_image is not null or c.specialization <> '' or c.bio <> ''
    or exists (select from bank_details b where b.creator_id = u.id))
union all
select u.id::text, 'closed but its wallet is open or has coins'
from users u join wallets w on w.user_id = u.id
where u.closed_at >= $1 and (w.closed_at is null or w.balance_coins > 0)
union all
select w.user_id::text, 'open but its coins were forfeited'
from wallets w join users u on u.id = w.user_id
where $1 = '-infinity'::timestamptz and u.closed_at is null and (w.closed_at is not null or w.forfeited_coins > 0)
