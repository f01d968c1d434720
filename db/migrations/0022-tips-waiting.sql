-- The tips without a result, oldest first: those that have waited for too long come first of all.
create index tips_waiting on tips (published_at, race_card_id, race_number, id) where result is null;
