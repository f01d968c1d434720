-- An installation that has had an admin has at least one with an open account.
select 'admins' as subject, 'no admin has an open account' as problem
where exists (
    select from audit_entries where action = 'grant-role' and details ->> 'role' = 'admin')
  and not exists (
    select from user_roles r join users u on u.id = r.user_id
    where r.role = 'admin' and u.closed_at is null)
