-- The checks that run each minute find what changed since by these, not by reading whole tables.
create index tips_void_settled on tips (settled_at) where result = 'void';
create index race_days_reported on race_days (reported_at);
