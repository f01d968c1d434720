-- Written before the customer leaves for the payment page; its id is what the provider is given.
create table orders (
  id uuid primary key default new_id(),
  user_id uuid references users,
  package_id text not null,
  package_title text not null,
  coins integer not null check (coins > 0),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null default 'zar' check (currency = 'zar'),
  race_card_id uuid references race_cards,
  request_key text not null unique,
  status text not null default 'pending'
    check (status in ('pending', 'awaiting_payment', 'fulfilled', 'failed', 'expired')),
  session_id text unique,
  checkout_url text,
  -- What a guest's browser holds, by which it alone is signed in and shown the summary.
  browser_hash text,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index orders_user on orders (user_id, created_at desc);
create index orders_open on orders (created_at) where status in ('pending', 'awaiting_payment');
create index orders_newest on orders (created_at desc, id desc);

-- A guest's account to be: kept until the session is paid, failed or expired, then emptied.
create table pending_registrations (
  order_id uuid primary key references orders,
  email text not null check (email = lower(email)),
  name text not null,
  password_hash text check (password_hash like '$argon2id$%'),
  agreed_at timestamptz not null
);
create index pending_registrations_email on pending_registrations (email);

-- One row for one paid checkout session: this key is what credits once.
create table coin_purchases (
  id uuid primary key default new_id(),
  order_id uuid not null unique references orders,
  user_id uuid not null references users,
  package_name text not null,
  coins integer not null check (coins > 0),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null check (currency = 'zar'),
  stripe_session_id text not null unique,
  payment_intent_id text unique,
  card_fingerprint text,
  transaction_id bigint not null unique references ledger_transactions,
  -- The race card a guest's purchase opened, and whether welcome coins paid for it.
  opened_race_card_id uuid references race_cards,
  welcome_coins integer not null default 0 check (welcome_coins in (0, 4)),
  refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  -- What refunds and disputes have taken back so far, of the coins bought.
  taken_back_coins integer not null default 0 check (taken_back_coins between 0 and coins),
  dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  created_at timestamptz not null
);
create index coin_purchases_user on coin_purchases (user_id, created_at desc);
create index coin_purchases_newest on coin_purchases (created_at desc, id desc);

create table guest_deals (
  order_id uuid primary key references orders,
  email text not null unique,
  card_fingerprint text not null unique,
  created_at timestamptz not null
);

-- What happened to payments we do not know (yet): a refund or dispute may come before the payment.
create table payment_reports (
  payment_intent_id text primary key,
  refunded_cents integer not null default 0 check (refunded_cents >= 0),
  dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  updated_at timestamptz not null
);

-- Every signed event, once.
create table stripe_events (
  id text primary key,
  type text not null,
  session_id text,
  payment_intent_id text,
  received_at timestamptz not null,
  handled_at timestamptz,
  outcome text,
  check ((handled_at is null) = (outcome is null))
);
create index stripe_events_unhandled on stripe_events (received_at) where handled_at is null;

-- What the operator has to look at: payments that do not match, and the like.
create table alerts (
  id uuid primary key default new_id(),
  kind text not null,
  subject text not null,
  message text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  unique (kind, subject)
);
create index alerts_open on alerts (created_at desc) where resolved_at is null;
