-- When an event was last tried: those tried longest ago come first, so that none starves the others.
alter table stripe_events add column tried_at timestamptz;
