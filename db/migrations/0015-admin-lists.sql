-- What the operator's lists are read by: each walks an index in its order, from the row the last page
-- ended with, and finds words by an index too.

create index users_newest on users (created_at desc, id desc);
create index users_words on users using gin (to_tsvector('simple', name || ' ' || email));
create index users_email_start on users (email text_pattern_ops);

create index tips_hidden on tips (published_at desc, id desc) where hidden_at is not null;
create index tips_words on tips using gin (to_tsvector('simple', horse_name));
create index race_cards_venue_newest on race_cards (venue_id, race_date desc, id desc);
create index creators_words on creators using gin (to_tsvector('simple', display_name));
create index creators_newest on creators (approved_at desc, user_id desc);
create index tipster_applications_words on tipster_applications
  using gin (to_tsvector('simple', full_name || ' ' || display_name || ' ' || email));
create index tipster_applications_status
  on tipster_applications (status, created_at desc, id desc);

create index coin_purchases_amount on coin_purchases (amount_cents desc, id desc);
create index coin_purchases_package on coin_purchases (package_name, created_at desc, id desc);
create index coin_purchases_session on coin_purchases (stripe_session_id text_pattern_ops);
create index coin_purchases_undone on coin_purchases (created_at desc, id desc)
  where refunded_cents > 0 or dispute_status is not null;
create index payouts_status on payouts (status, requested_at desc, id desc);

create index mails_recipient on mails (recipient, created_at desc, id desc);
create index mails_failed on mails (failed_at desc, id desc) where failed_at is not null;
create index audit_entries_act on audit_entries (act, id desc);
create index audit_entries_actor on audit_entries (actor_id, id desc);
create index audit_entries_subject on audit_entries (subject, id desc);

-- What was bought on each South African day, by package, written by the roll-up alone: what sales add
-- up to costs the same however many there are. Refunds stand in the purchases, which are few.
alter table coin_purchases
  add column created_xid xid8 not null default pg_current_xact_id();
create index coin_purchases_xid on coin_purchases (created_xid, id);
create table purchase_days (
  day date not null,
  package_name text not null,
  purchases integer not null default 0,
  coins bigint not null default 0,
  amount_cents bigint not null default 0,
  primary key (day, package_name)
);

-- Every purchase of a transaction before this one has been added up. One row.
create table purchase_days_position (
  is_only boolean primary key default true check (is_only),
  before_xid xid8 not null
);
insert into purchase_days_position (before_xid) values ('0');

-- The operator's review of a held sale can take its earning back.
alter table earning_reversals drop constraint earning_reversals_reason_check;
alter table earning_reversals add constraint earning_reversals_reason_check
  check (reason in ('refund', 'dispute', 'void', 'review'));
