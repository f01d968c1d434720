-- Payouts: bank details, sums of earnings, payouts and payment files.

-- The bank account of a creator: encrypted, with its last digits in the clear for display.
create table bank_details (
  creator_id uuid primary key references creators,
  encrypted_details text not null,
  account_last4 text not null,
  changed_at timestamptz not null
);

-- The earnings of each creator by South African day. Only the roll-up job writes these rows. Because of them,
-- reading earnings costs the same for ten sales and for a million. A reversal counts on the day of its sale.
create table earning_days (
  creator_id uuid not null,
  day date not null,
  sales integer not null default 0,
  earned_cents bigint not null default 0,
  reversed_sales integer not null default 0,
  reversed_cents bigint not null default 0,
  primary key (creator_id, day)
);
create index earning_days_day on earning_days (day);

-- The sum of earning_days for each creator, written by the same roll-up.
create table earning_totals (
  creator_id uuid primary key,
  sales bigint not null default 0,
  earned_cents bigint not null default 0,
  reversed_sales bigint not null default 0,
  reversed_cents bigint not null default 0
);

-- The position of this roll-up: sales, reversals and restorations of database transactions before
-- before_xid have been summed. One row.
create table earning_days_position (
  is_singleton boolean primary key default true check (is_singleton),
  before_xid xid8 not null
);
insert into earning_days_position (before_xid) values ('0');

-- A payout is editable while export_id is null, and locked once it has been exported to a payment file.
-- A stopped payout contains no earnings, because a dispute reduced it below the minimum. A creator has at most one
-- open payout.
create table payouts (
  id uuid primary key default new_id(),
  creator_id uuid not null references creators,
  amount_cents bigint not null check (amount_cents >= 10000),
  status text not null default 'requested'
    constraint payouts_status_check check (status in ('requested', 'processing', 'paid', 'stopped')),
  requested_at timestamptz not null,
  processing_at timestamptz,
  paid_at timestamptz,
  transaction_id bigint unique references ledger_transactions,
  export_id uuid,
  removed_cents bigint not null default 0 check (removed_cents >= 0),
  changed_at timestamptz,
  stopped_at timestamptz,
  -- True if it was paid without a recorded payment file, so that the account is unknown.
  is_paid_unrecorded boolean not null default false,
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'paid') = (transaction_id is not null)),
  constraint payouts_export_state check (case
    when status in ('requested', 'stopped') then export_id is null
    when status = 'paid' then export_id is not null or is_paid_unrecorded
    else true end),
  constraint payouts_stopped check ((status = 'stopped') = (stopped_at is not null))
);
create unique index payouts_open on payouts (creator_id) where status in ('requested', 'processing');
create index payouts_newest on payouts (requested_at desc, id desc);
create index payouts_creator on payouts (creator_id, requested_at desc);
create index payouts_status on payouts (status, requested_at desc, id desc);
create index payouts_largest on payouts (amount_cents desc, id desc);
create index payouts_export on payouts (export_id) where export_id is not null;

alter table earnings add foreign key (payout_id) references payouts;

-- The payment files for the bank. Append-only.
create table payment_exports (
  id uuid primary key default new_id(),
  created_by uuid references users,
  created_at timestamptz not null,
  format text not null,
  -- The number of the file within its format, from 1. Some formats include it as a generation number.
  number integer not null check (number > 0),
  -- The day on which the bank pays; null when unknown.
  action_date date,
  payments integer not null check (payments > 0),
  total_cents bigint not null check (total_cents > 0),
  unique (format, number)
);
create index payment_exports_newest on payment_exports (created_at desc, id desc);
create trigger payment_exports_append_only before update or delete on payment_exports
  for each row execute function refuse_change();

-- The payments of a payment file.
create table payment_export_lines (
  export_id uuid not null references payment_exports,
  payout_id uuid not null references payouts,
  creator_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  reference text not null,
  -- The account details in the file, encrypted. Set to null when the retention period ends.
  encrypted_details text,
  account_last4 text,
  primary key (export_id, payout_id),
  unique (export_id, reference)
);
create index payment_export_lines_payout on payment_export_lines (payout_id);

-- Trigger function: refuses every change to a line except clearing the account details
-- (restrict_violation).
create function refuse_export_line_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.encrypted_details is null
    and (new.export_id, new.payout_id, new.creator_id, new.amount_cents, new.reference)
      = (old.export_id, old.payout_id, old.creator_id, old.amount_cents, old.reference)
    and new.account_last4 is not distinct from old.account_last4 then
    return new;
  end if;
  raise exception 'payment_export_lines is append-only: % refused', lower(tg_op)
    using errcode = 'restrict_violation';
end $$;
create trigger payment_export_lines_append_only before update or delete on payment_export_lines
  for each row execute function refuse_export_line_change();

-- Payouts and payment files reference each other. An exported payout has a line in its file.
alter table payouts
  add foreign key (export_id) references payment_exports,
  add constraint payouts_export_line foreign key (export_id, id)
    references payment_export_lines (export_id, payout_id);

-- The sum of a creator's payouts that are open or paid.
create table payout_totals (
  creator_id uuid primary key,
  cents bigint not null
);

-- Trigger function: adds the change of one payout to payout_totals. Stopped payouts do not count.
create function update_payout_totals() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status <> 'stopped' then
    update payout_totals set cents = cents - old.amount_cents where creator_id = old.creator_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'stopped' then
    insert into payout_totals as t (creator_id, cents) values (new.creator_id, new.amount_cents)
    on conflict (creator_id) do update set cents = t.cents + excluded.cents;
  end if;
  return null;
end $$;
create trigger payouts_update_totals
  after insert or delete or update of creator_id, amount_cents, status on payouts
  for each row execute function update_payout_totals();

-- Trigger function: refuses changes to a paid or stopped payout, and to the amount or creator of an
-- exported payout (restrict_violation).
create function refuse_exported_payout_change() returns trigger language plpgsql as $$
begin
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
create trigger payouts_exported_immutable before update on payouts
  for each row execute function refuse_exported_payout_change();

-- Trigger function: refuses to add an earning to an exported payout or to remove one from it
-- (restrict_violation).
create function refuse_exported_earnings_change() returns trigger language plpgsql as $$
begin
  if exists (
    select from before_change b join after_change a using (sale_id)
      join payouts p on p.id in (b.payout_id, a.payout_id)
    where a.payout_id is distinct from b.payout_id and p.export_id is not null
  ) then
    raise exception 'the earnings of an exported payout cannot change'
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger earnings_exported_immutable after update on earnings
  referencing old table as before_change new table as after_change
  for each statement execute function refuse_exported_earnings_change();

-- Holds on earnings whose payout was already exported. They apply if the export is withdrawn; until then an alert
-- warns the operator.
create table late_holds (
  sale_id bigint primary key references earnings,
  payout_id uuid not null references payouts,
  reason text not null,
  created_at timestamptz not null,
  -- Set when the reason ended (a dispute was decided) while the payout was still exported.
  ended_at timestamptz
);
create index late_holds_payout on late_holds (payout_id);

-- The payment file settings: the bank's format, the debited account, and the columns of the operator's own
-- format. At most one row.
create table payment_file_settings (
  is_singleton boolean primary key default true check (is_singleton),
  settings jsonb not null,
  updated_at timestamptz not null,
  updated_by uuid references users
);
