-- Payments: what is due to the owner of a closed account for the bought coins that were not spent.

-- One row per purchase with unspent coins. 'requested' until the provider accepts the refund ('sent') or rejects it
-- ('failed'). The coins of a failed refund wait for the claim code of the account, which adds them to another account
-- ('claimed') or with which an admin pays their price to a bank account ('paid').
create table unspent_coin_refunds (
  id uuid primary key default new_id(),
  user_id uuid not null references users,
  purchase_id uuid not null references coin_purchases,
  coins integer not null check (coins > 0),
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('requested', 'sent', 'failed', 'claimed', 'paid')),
  created_at timestamptz not null,
  -- The ledger transaction that took the coins from the closed account, and the account that received them.
  claimed_by uuid references users,
  claim_transaction_id bigint references ledger_transactions,
  unique (user_id, purchase_id),
  check ((status = 'claimed') = (claimed_by is not null)),
  check ((status in ('claimed', 'paid')) = (claim_transaction_id is not null))
);
create index unspent_coin_refunds_purchase on unspent_coin_refunds (purchase_id);
create index unspent_coin_refunds_newest on unspent_coin_refunds (created_at);
create index unspent_coin_refunds_claimed on unspent_coin_refunds (claimed_by) where claimed_by is not null;
create index unspent_coin_refunds_claim on unspent_coin_refunds (claim_transaction_id)
  where claim_transaction_id is not null;

-- The claim code of a closed account.
create table claim_codes (
  user_id uuid primary key references users,
  code_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Replaces the function of 0003-wallet.sql: a claim moves coins from a closed account to another one.
create or replace function is_valid_ledger_transaction(kind text, reference text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return reference <> '' and kind in
    ('purchase', 'welcome', 'grant', 'unlock', 'reversal', 'refund', 'dispute', 'payout', 'forfeit', 'claim');
end $$;
