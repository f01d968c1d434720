-- Closed accounts by when they were closed: what is always true of them is checked as they come.
create index users_closed on users (closed_at) where closed_at is not null;
