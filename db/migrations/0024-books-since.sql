-- The books are read each minute as far as they concern what came since: found by when it came, not by
-- reading all there ever was.
create index orders_fulfilled on orders (updated_at) where status = 'fulfilled';
create index tips_settled on tips (settled_at) where settled_at is not null;
create index credentials_newest on credentials (updated_at);
create index batches_newest on batches (created_at);
create index guest_deals_newest on guest_deals (created_at);
