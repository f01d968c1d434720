-- Every password hash is argon2id, and no other column holds a password.
select 'credentials' as place, id::text as subject from credentials
where updated_at >= $1 and password not like '$argon2id$%'
union all
select 'pending_registrations', order_id::text from pending_registrations
where agreed_at >= $1 and password_hash not like '$argon2id$%'
union all
select table_name, column_name from information_schema.columns
where table_schema = 'public' and column_name ~ 'passw'
  and (table_name, column_name) not in (('credentials', 'password'), ('pending_registrations', 'password_hash'))
