-- How many accounts there are is counted on every screen of the operator's.
create index users_open on users (id) where closed_at is null;

create index payouts_largest on payouts (amount_cents desc, id desc);
