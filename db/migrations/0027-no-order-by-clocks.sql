-- Machines have clocks of their own, so no integrity check may compare an instant that one machine wrote
-- with an instant that another wrote. What came first is said by the database itself.

-- The newest sale when a tip was published; null for tips from before this migration. A sale takes its id
-- after it has read the card's tips, so every tip in it was published when all sales were older.
create function newest_sale_id() returns bigint language plpgsql volatile as $$
begin
  return coalesce((select max(s.id) from sales s), 0);
end $$;
alter table tips add column newest_sale_id bigint;
alter table tips alter column newest_sale_id set default newest_sale_id();
create trigger tips_keep_newest_sale_id before update of newest_sale_id on tips
  for each row execute function refuse_change();

-- When the database took an event in, by its own clock.
alter table stripe_events add column recorded_at timestamptz not null default now();
drop index stripe_events_unhandled;
create index stripe_events_unhandled on stripe_events (recorded_at) where handled_at is null;
