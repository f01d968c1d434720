-- The tables of the demo's fake payment provider. The demo runs this file at each start, so every statement
-- must succeed if its object already exists. Not a migration, because production must not have these tables.

create table if not exists fake_stripe_sessions (
  id text primary key,
  idempotency_key text unique,
  request jsonb not null,
  client_reference_id text not null,
  customer_email text not null,
  title text not null,
  description text not null,
  amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  success_url text not null,
  cancel_url text not null,
  status text not null default 'open' check (status in ('open', 'complete', 'expired')),
  payment_status text not null default 'unpaid'
    check (payment_status in ('unpaid', 'paid', 'failed')),
  payment_intent_id text unique,
  -- The card's last four digits and fingerprint, never its number.
  card_last4 text,
  card_fingerprint text,
  card_wallet text,
  card_holder text,
  refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  failed_refund_cents integer not null default 0 check (failed_refund_cents >= 0),
  disputed_cents integer check (disputed_cents between 1 and amount_cents),
  dispute_status text check (dispute_status in ('needs_response', 'won', 'lost')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- The amounts of refunds made through the API, by idempotency key.
alter table fake_stripe_sessions
  add column if not exists refunds jsonb not null default '{}';

create table if not exists fake_stripe_events (
  id text primary key,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  delivered_at timestamptz
);
create index if not exists fake_stripe_events_newest on fake_stripe_events (created_at desc, id desc);
