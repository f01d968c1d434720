-- Payouts: transfers through a payment provider, in place of a payment file.

-- When the provider confirmed that the account belongs to its holder and accepts payments; null when nobody checked it.
alter table bank_details add column checked_at timestamptz;

-- The transfers of released payouts. A release is a row of payment_exports, and its lines have the accounts and amounts.
-- The reference is written before anything is sent, and the provider carries out a reference once.
create table payout_transfers (
  reference uuid primary key default new_id(),
  export_id uuid not null,
  payout_id uuid not null,
  status text not null default 'pending'
    constraint payout_transfers_status_check check (status in ('pending', 'paid', 'failed', 'returned')),
  -- The status that the provider reported last.
  provider_status text,
  -- The account at the provider. It belongs to the provider's account of the operator, so another one cannot pay it.
  recipient_code text,
  created_at timestamptz not null,
  -- The last time that it was sent; null before the first.
  sent_at timestamptz,
  -- The process that sends it reserves it until this time, so that no other one sends it as well.
  sending_until timestamptz,
  -- The last time that its status was read from the provider.
  read_at timestamptz,
  -- The last time that its status changed, here or at the provider.
  changed_at timestamptz not null,
  -- When an admin recorded that the status is right although the provider reports another one.
  resolved_at timestamptz,
  unique (export_id, payout_id),
  foreign key (export_id, payout_id) references payment_export_lines,
  constraint payout_transfers_sent check (sent_at is null or recipient_code is not null)
);
create unique index payout_transfers_pending on payout_transfers (payout_id) where status = 'pending';
create index payout_transfers_payout on payout_transfers (payout_id);
create index payout_transfers_changed on payout_transfers (changed_at);

-- Trigger function: a transfer keeps its reference, payout and recipient, is never deleted, and changes its status only
-- from pending to paid or failed, from paid to returned, or from failed to paid when the provider corrects itself
-- (restrict_violation).
create function refuse_transfer_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and (new.reference, new.export_id, new.payout_id, new.created_at)
      = (old.reference, old.export_id, old.payout_id, old.created_at)
    and (old.sent_at is null or new.recipient_code is not distinct from old.recipient_code)
    and (new.status = old.status or (old.status, new.status) in
      (('pending', 'paid'), ('pending', 'failed'), ('paid', 'returned'), ('failed', 'paid'))) then
    return new;
  end if;
  raise exception 'this change of a transfer is refused: %', lower(tg_op) using errcode = 'restrict_violation';
end $$;
create trigger payout_transfers_protected before update or delete on payout_transfers
  for each row execute function refuse_transfer_change();

-- Replaces the function of 0009-payouts.sql: a payout stays in its release and is not paid while its transfer is in
-- progress, and a paid one is stopped when its transfer came back.
create or replace function refuse_exported_payout_change() returns trigger language plpgsql as $$
begin
  if (new.export_id is distinct from old.export_id or (new.status = 'paid' and old.status <> 'paid'))
    and exists (select from payout_transfers t where t.payout_id = old.id and t.status = 'pending') then
    raise exception 'payout % is being transferred and cannot change', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.status = 'paid' and new.status = 'stopped' and new.amount_cents = old.amount_cents
    and new.creator_id = old.creator_id and exists (select from payout_transfers t
      where t.payout_id = old.id and t.export_id = old.export_id and t.status = 'returned') then
    return new;
  end if;
  if old.status in ('paid', 'stopped') then
    raise exception 'payout % is % and cannot change', old.id, old.status
      using errcode = 'restrict_violation';
  end if;
  if old.export_id is not null
    and (new.amount_cents <> old.amount_cents or new.creator_id <> old.creator_id) then
    raise exception 'payout % has been exported and cannot change', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- The transfer that an event of the provider is about.
alter table payment_events add column transfer_reference text;
