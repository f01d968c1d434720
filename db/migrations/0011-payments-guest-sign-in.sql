alter table orders
  -- What a guest's payment came to: a new account with welcome coins ('newcomer'), or without them
  -- because the address or card had them before ('repeat'), because no card was known ('no-card'), or
  -- because the address had become somebody's account meanwhile ('existing-account').
  add column guest_outcome text
    check (guest_outcome in ('newcomer', 'repeat', 'no-card', 'existing-account')),
  -- The browser that began a guest's purchase may be signed in once, until then.
  add column sign_in_until timestamptz;

-- A receipt goes out by itself once.
alter table coin_purchases add column receipt_mailed_at timestamptz;

-- How far the reconciler has read the provider's events.
create table payment_positions (
  name text primary key,
  reached_at timestamptz not null
);
