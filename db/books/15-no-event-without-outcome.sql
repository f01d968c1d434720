-- No provider event is without outcome after five minutes.
select e.id as event_id, e.type, e.received_at from stripe_events e
where $1::timestamptz is not null and e.handled_at is null and e.received_at < $2::timestamptz - interval '5 minutes'
