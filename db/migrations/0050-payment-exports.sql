-- Every payment file that was made for the bank, and what it told the bank to pay. The account details are
-- kept as the file named them, encrypted, and are cleared when the retention period ends; nothing else of
-- these rows ever changes.
create table payment_exports (
  id uuid primary key default new_id(),
  created_by uuid references users,
  created_at timestamptz not null,
  format text not null,
  -- The day on which the bank is to pay; unknown of files from before exports were recorded.
  action_date date,
  payments integer not null check (payments > 0),
  total_cents bigint not null check (total_cents > 0)
);
create index payment_exports_newest on payment_exports (created_at desc, id desc);
create trigger payment_exports_append_only before update or delete on payment_exports
  for each row execute function refuse_change();

create table payment_export_lines (
  export_id uuid not null references payment_exports,
  payout_id uuid not null references payouts,
  creator_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  reference text not null,
  -- Both are unknown of files from before exports were recorded.
  sealed text,
  account_ending text,
  primary key (export_id, payout_id),
  unique (export_id, reference)
);
create index payment_export_lines_payout on payment_export_lines (payout_id);
create function keep_payment_export_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.sealed is null
    and (new.export_id, new.payout_id, new.creator_id, new.amount_cents, new.reference)
      = (old.export_id, old.payout_id, old.creator_id, old.amount_cents, old.reference)
    and new.account_ending is not distinct from old.account_ending then
    return new;
  end if;
  raise exception 'payment_export_lines is append-only: % refused', lower(tg_op)
    using errcode = 'restrict_violation';
end $$;
create trigger payment_export_lines_append_only before update or delete on payment_export_lines
  for each row execute function keep_payment_export_line();

-- A payout is either editable (export_id is null) or exported and locked. A stopped payout holds no
-- earnings any more: what was left of it after a dispute was below the minimum.
alter table payouts
  add column export_id uuid references payment_exports,
  add column removed_cents bigint not null default 0 check (removed_cents >= 0),
  add column changed_at timestamptz,
  add column stopped_at timestamptz,
  -- Marked as paid before exports were recorded: which account it went to is not known.
  add column is_paid_unrecorded boolean not null default false;
update payouts set is_paid_unrecorded = true where status = 'paid';
alter table payouts drop constraint payouts_status_check;
alter table payouts
  add constraint payouts_status_check check (status in ('requested', 'processing', 'paid', 'stopped')),
  add constraint payouts_export_line foreign key (export_id, id)
    references payment_export_lines (export_id, payout_id),
  add constraint payouts_export_state check (case
    when status in ('requested', 'stopped') then export_id is null
    when status = 'paid' then export_id is not null or is_paid_unrecorded
    else true end),
  add constraint payouts_stopped check ((status = 'stopped') = (stopped_at is not null));
drop index payouts_open;
create unique index payouts_open on payouts (creator_id) where status in ('requested', 'processing');
create index payouts_export on payouts (export_id) where export_id is not null;

-- A stopped payout counts for nothing.
create or replace function add_to_payout_totals() returns trigger language plpgsql as $$
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
drop trigger payouts_are_totalled on payouts;
create trigger payouts_are_totalled
  after insert or delete or update of creator_id, amount_cents, status on payouts
  for each row execute function add_to_payout_totals();

-- An exported payout is what its file says: neither its amount nor its earnings change while it is locked,
-- and one that was paid or stopped stays as it is.
create function keep_exported_payout() returns trigger language plpgsql as $$
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
create trigger payouts_keep_exported before update on payouts
  for each row execute function keep_exported_payout();

create function keep_earnings_of_exported_payouts() returns trigger language plpgsql as $$
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
create trigger earnings_keep_exported after update on earnings
  referencing old table as before_change new table as after_change
  for each statement execute function keep_earnings_of_exported_payouts();

-- Holds that came when the payout of the earning had been exported already. They take effect if the export
-- is withdrawn; until then the operator is warned.
create table late_holds (
  sale_id bigint primary key references earnings,
  payout_id uuid not null references payouts,
  reason text not null,
  created_at timestamptz not null,
  -- The reason is over (a dispute was decided) while the payout was still exported.
  ended_at timestamptz
);
create index late_holds_payout on late_holds (payout_id);

-- Payouts in progress whose payment file was made before exports were recorded: the audit knows of them. A
-- second file of one of them has to be confirmed too, but which account the first named is not known.
do $$
declare
  known record;
  v_export uuid;
begin
  for known in
    select distinct on (p.id) p.id, p.creator_id, p.amount_cents, a.actor_id, a.created_at
    from payouts p join audit_entries a
      on a.act = 'make-payment-file' and a.details -> 'payoutIds' ? p.id::text
    where p.status = 'processing' order by p.id, a.id desc
  loop
    insert into payment_exports (created_by, created_at, format, payments, total_cents)
      values (known.actor_id, known.created_at, 'unrecorded', 1, known.amount_cents)
      returning id into v_export;
    insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference)
      values (v_export, known.id, known.creator_id, known.amount_cents,
        'FURLONG ' || upper(right(known.id::text, 8)));
    update payouts set export_id = v_export where id = known.id;
  end loop;
end $$;
