-- The roll-up reads reversals in the order of their transactions, as it reads sales.
alter table earning_reversals
  add column created_xid xid8 not null default pg_current_xact_id();
create index earning_reversals_xid on earning_reversals (created_xid, sale_id);
create index earning_reversals_newest on earning_reversals (created_at);
