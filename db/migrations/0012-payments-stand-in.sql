-- What the demo's stand-in for the payment provider remembers. Production leaves these empty.
create table stand_in_sessions (
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
  -- Never the number: its last four digits, and what tells it from other cards.
  card_ending text,
  card_fingerprint text,
  refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  dispute_status text check (dispute_status in ('needs_response', 'won', 'lost')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table stand_in_events (
  id text primary key,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  delivered_at timestamptz
);
create index stand_in_events_newest on stand_in_events (created_at desc, id desc);
