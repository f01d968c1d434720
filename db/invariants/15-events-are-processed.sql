-- Every webhook event is processed within five minutes. Refers to $1 only because every invariant must use it.
select e.provider, e.id as event_id, e.type, e.recorded_at from payment_events e
where $1::timestamptz is not null and e.handled_at is null and e.recorded_at < now() - interval '5 minutes'
