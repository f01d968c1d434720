-- The tables of the demo's fake Paystack. The demo runs this file at each start, so every statement must succeed
-- if its object already exists. Not a migration, because production must not have these tables.

-- The ids of the API have more than 53 bits, which a number of JavaScript cannot hold.
create table if not exists fake_paystack_transactions (
  reference text primary key,
  id text not null unique,
  customer_email text not null,
  title text not null,
  amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  callback_url text not null,
  cancel_url text not null,
  is_card_only boolean not null,
  -- As the API reports it: a page that nobody has paid is abandoned.
  status text not null default 'abandoned' check (status in ('abandoned', 'pending', 'failed', 'success')),
  channel text check (channel in ('card', 'eft')),
  -- The card's last four digits and signature, never its number.
  card_last4 text,
  card_signature text,
  created_at timestamptz not null,
  paid_at timestamptz
);

create table if not exists fake_paystack_refunds (
  id text primary key,
  reference text not null references fake_paystack_transactions,
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('processed', 'failed', 'needs-attention')),
  merchant_note text,
  dispute_id text,
  created_at timestamptz not null
);
create index if not exists fake_paystack_refunds_of_transaction on fake_paystack_refunds (reference);

create table if not exists fake_paystack_disputes (
  id text primary key,
  reference text not null unique references fake_paystack_transactions,
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('awaiting-merchant-feedback', 'resolved')),
  resolution text check (resolution in ('declined', 'merchant-accepted')),
  due_at timestamptz not null,
  created_at timestamptz not null
);

create table if not exists fake_paystack_events (
  id bigint generated always as identity primary key,
  reference text not null references fake_paystack_transactions,
  type text not null,
  -- As delivered: the signature is that of these characters.
  body text not null,
  created_at timestamptz not null,
  delivered_at timestamptz
);
create index if not exists fake_paystack_events_of_transaction on fake_paystack_events (reference);
-- Events of transfers have references of their own.
alter table fake_paystack_events drop constraint if exists fake_paystack_events_reference_fkey;

create table if not exists fake_paystack_recipients (
  code text primary key,
  name text not null,
  account_number text not null,
  bank_code text not null,
  created_at timestamptz not null,
  unique (account_number, bank_code)
);

create table if not exists fake_paystack_transfers (
  reference text primary key,
  id text not null unique,
  recipient_code text not null references fake_paystack_recipients,
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('pending', 'otp', 'success', 'failed', 'reversed')),
  reason text not null,
  created_at timestamptz not null
);
