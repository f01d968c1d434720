-- A closed account is owed nothing, has no payout in progress and keeps neither role nor password, and no
-- open account has an address that is reserved for closed ones.
select u.id::text as subject, 'closed, and money is still due' as problem
from users u
where u.closed_at >= $1
  and (select coalesce(sum(p.amount), 0) from ledger_postings p
    where p.owner_id = u.id and p.account = 'payable') > 0
union all
select u.id::text, 'closed, and a payout is in progress'
from users u
where u.closed_at >= $1
  and exists (select from payouts o where o.creator_id = u.id and o.status in ('requested', 'processing'))
union all
select u.id::text, 'closed, and keeps a role or a password'
from users u
where u.closed_at >= $1
  and (exists (select from user_roles r where r.user_id = u.id)
    or exists (select from credentials c where c.user_id = u.id))
union all
select u.id::text, 'open, with an address of closed accounts'
from users u
where u.created_at >= $1 and u.closed_at is null and u.email like '%.invalid'
