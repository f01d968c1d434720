-- Payments: refunds that admins and buyers request.

-- 'requested' until the provider accepts the refund ('sent') or rejects it ('failed', also when it fails later).
create table purchase_refunds (
  -- Chosen by the form, so that a repeated request is the same refund.
  id uuid primary key,
  purchase_id uuid not null references coin_purchases,
  amount_cents integer not null check (amount_cents > 0),
  -- Of coins that are spent already: true when the house bears them, as a grant, and false when the buyer owes them and
  -- the sales lack them.
  is_borne_by_house boolean not null,
  reason text not null,
  -- The admin. Null when the buyer requested it.
  requested_by uuid references users,
  -- What had gone back of the payment before.
  returned_cents_before integer not null,
  status text not null check (status in ('requested', 'sent', 'failed')),
  created_at timestamptz not null,
  grant_transaction_id bigint references ledger_transactions,
  check (grant_transaction_id is null or is_borne_by_house)
);
create index purchase_refunds_purchase on purchase_refunds (purchase_id);
create unique index purchase_refunds_requested on purchase_refunds (purchase_id) where status = 'requested';
create index purchase_refunds_newest on purchase_refunds (created_at);
