-- Payments: orders, purchases of coins, refunds and disputes, and events of the payment providers. Each id issued by
-- a provider is stored with the name of that provider.

-- Written before the customer is redirected to the checkout page. The provider receives the id of the order.
create table orders (
  id uuid primary key default new_id(),
  user_id uuid references users,
  coin_pack_id text not null,
  coin_pack_title text not null,
  coins integer not null check (coins > 0),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null default 'zar' check (currency = 'zar'),
  race_card_id uuid references race_cards,
  idempotency_key text not null unique,
  status text not null default 'pending'
    check (status in ('pending', 'awaiting_payment', 'fulfilled', 'failed', 'expired')),
  -- The payment provider, and its id of the latest checkout or of the one that was paid.
  provider text not null,
  session_id text,
  -- Identifies the browser of a guest. Only this browser is signed in and shown the summary.
  browser_hash text,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The outcome of a guest's payment: a new account with welcome coins ('new-account'); no welcome coins, because
  -- the address or card has had them before ('repeat') or the card is unknown ('no-card'); or the address
  -- became the account of somebody else in the meantime ('existing-account').
  guest_outcome text
    check (guest_outcome in ('new-account', 'repeat', 'no-card', 'existing-account')),
  -- The deadline for signing in, once, the browser that started a guest's purchase.
  sign_in_until timestamptz,
  unique (session_id, provider)
);
create index orders_user on orders (user_id, created_at desc);
create index orders_open on orders (created_at) where status in ('pending', 'awaiting_payment');
create index orders_newest on orders (created_at desc, id desc);
create index orders_fulfilled on orders (updated_at) where status = 'fulfilled';

-- Each attempt to create the payment page of an order. Written before the provider is called, so that neither a crash
-- nor a lost response can lose an attempt. "started" has no response yet, "open" has a payment page, and "none" was
-- refused or never reached the provider.
create table payment_attempts (
  order_id uuid not null references orders,
  number integer not null check (number > 0),
  provider text not null,
  state text not null default 'started' check (state in ('started', 'open', 'none')),
  session_id text,
  checkout_url text,
  -- When the payment page closes.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (order_id, number),
  unique (session_id, provider),
  check ((state = 'open') = (session_id is not null))
);
create index payment_attempts_started on payment_attempts (created_at) where state = 'started';

-- The account that a guest will receive. Deleted when the order is fulfilled. When it fails or expires, the
-- password hash is cleared at once and the row is deleted after 30 days.
create table pending_registrations (
  order_id uuid primary key references orders,
  email text not null check (email = lower(email)),
  name text not null,
  password_hash text check (password_hash like '$argon2id$%'),
  agreed_at timestamptz not null
);
create index pending_registrations_email on pending_registrations (email);

-- One row per paid checkout session. Its unique keys ensure that coins are credited once. created_xid is
-- the database transaction, by which the roll-up finds what it has not summed.
create table coin_purchases (
  id uuid primary key default new_id(),
  order_id uuid not null unique references orders,
  user_id uuid not null references users,
  coin_pack_title text not null,
  coins integer not null check (coins > 0),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null check (currency = 'zar'),
  provider text not null,
  session_id text not null,
  payment_id text,
  card_fingerprint text,
  transaction_id bigint not null unique references ledger_transactions,
  -- The race card that a guest's purchase opened, and the welcome coins that paid for it.
  opened_race_card_id uuid references race_cards,
  welcome_coins integer not null default 0 check (welcome_coins in (0, 4)),
  refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  -- Purchased coins that refunds and disputes have recovered so far.
  recovered_coins integer not null default 0 check (recovered_coins between 0 and coins),
  dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  created_at timestamptz not null,
  -- Set once the automatic receipt has been queued, so that it is sent once.
  receipt_mailed_at timestamptz,
  created_xid xid8 not null default pg_current_xact_id(),
  -- Lost in disputes so far, in the currency of the purchase.
  lost_cents integer not null default 0 check (lost_cents between 0 and amount_cents),
  unique (session_id, provider),
  unique (payment_id, provider)
);
create index coin_purchases_user on coin_purchases (user_id, created_at desc);
create index coin_purchases_newest on coin_purchases (created_at desc, id desc);
create index coin_purchases_amount on coin_purchases (amount_cents desc, id desc);
create index coin_purchases_coin_pack on coin_purchases (coin_pack_title, created_at desc, id desc);
create index coin_purchases_session on coin_purchases (session_id text_pattern_ops);
create index coin_purchases_refunded_or_disputed on coin_purchases (created_at desc, id desc)
  where refunded_cents > 0 or dispute_status is not null;
create index coin_purchases_xid on coin_purchases (created_xid, id);

alter table earning_reversals add foreign key (purchase_id) references coin_purchases;
alter table earning_restorations add foreign key (purchase_id) references coin_purchases;

-- The effect of one change of a purchase's refunded or lost amount. Amounts are negative when money or coins
-- are returned: after a failed refund, or a dispute won on appeal. Append-only.
create table purchase_adjustments (
  id bigint generated always as identity primary key,
  purchase_id uuid not null references coin_purchases,
  transaction_id bigint not null unique references ledger_transactions,
  kind text not null check (kind in ('refund', 'dispute')),
  -- Money that was refunded or lost.
  cents integer not null,
  -- Purchased coins that were recovered: from the wallet, by reversing sales, and as a debt.
  coins integer not null,
  wallet_coins integer not null,
  sale_coins integer not null,
  owed_coins integer not null,
  -- Welcome coins that were recovered: from the wallet, and by reversing a sale.
  welcome_wallet_coins integer not null,
  welcome_sale_coins integer not null,
  created_at timestamptz not null,
  check (coins = wallet_coins + sale_coins + owed_coins)
);
create index purchase_adjustments_purchase on purchase_adjustments (purchase_id);
create index purchase_adjustments_newest on purchase_adjustments (created_at);
create trigger purchase_adjustments_append_only before update or delete on purchase_adjustments
  for each row execute function refuse_change();

-- Welcome coins that were credited. Each address, card and payer receives them once.
create table guest_deals (
  order_id uuid primary key references orders,
  email text not null unique,
  card_fingerprint text not null unique,
  created_at timestamptz not null,
  -- A hash of the card's holder and last digits, because a card in a mobile wallet has a different fingerprint on
  -- each device.
  payer_hash text unique
);
create index guest_deals_newest on guest_deals (created_at);

-- Numbers the reads of a payment's state at the provider: a report of a later read replaces one of an
-- earlier read, so a response that arrives late cannot overwrite a newer one.
create sequence payment_reads;

-- The state of payments that match no purchase yet: a refund or dispute may be reported before the payment
-- itself. Amounts are in the currency of the charge; only their share of charged_cents is used.
create table payment_reports (
  provider text not null,
  payment_id text not null,
  refunded_cents integer not null default 0 check (refunded_cents >= 0),
  dispute_status text check (dispute_status in ('open', 'won', 'lost')),
  updated_at timestamptz not null,
  charged_cents integer check (charged_cents > 0),
  currency text,
  lost_cents integer not null default 0 check (lost_cents >= 0),
  fetch_sequence bigint not null default 0,
  primary key (payment_id, provider)
);

-- Every signed event of a provider, once. It names the checkout or payment whose state is read again.
create table payment_events (
  provider text not null,
  id text not null,
  type text not null,
  session_id text,
  payment_id text,
  received_at timestamptz not null,
  handled_at timestamptz,
  outcome text,
  -- When the row was written, by the clock of the database.
  recorded_at timestamptz not null default now(),
  -- The last attempt. Retries take the event whose last attempt is the oldest.
  last_attempt_at timestamptz,
  primary key (id, provider),
  check ((handled_at is null) = (outcome is null))
);
create index payment_events_unhandled on payment_events (recorded_at) where handled_at is null;

-- The reconciler's cursor in the events of each provider.
create table payment_positions (
  name text primary key,
  reached_at timestamptz not null
);

-- Purchases by South African day and coin pack. Only the roll-up job writes these rows. Refunds are summed
-- from the purchases, because they are few.
create table purchase_days (
  day date not null,
  coin_pack_title text not null,
  purchases integer not null default 0,
  coins bigint not null default 0,
  amount_cents bigint not null default 0,
  primary key (day, coin_pack_title)
);

-- The position of this roll-up: purchases of database transactions before before_xid have been summed.
-- One row.
create table purchase_days_position (
  is_singleton boolean primary key default true check (is_singleton),
  before_xid xid8 not null
);
insert into purchase_days_position (before_xid) values ('0');
