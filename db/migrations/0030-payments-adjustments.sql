-- Refunds and disputes by amount. What a purchase lost is the part of it that was refunded or lost in a
-- dispute; coins follow that part, whole coins at a time, in both directions.

-- The number of a read of the provider. A report of a later read replaces one of an earlier read, so an
-- answer that arrives late cannot undo a newer one.
create sequence payment_reads;

-- Amounts are in the charge's own currency: only their share of what was charged means anything here.
alter table payment_reports
  add column charged_cents integer check (charged_cents > 0),
  add column currency text,
  add column lost_cents integer not null default 0 check (lost_cents >= 0),
  add column read_number bigint not null default 0;

alter table coin_purchases
  -- Lost in disputes so far, in the currency of the purchase.
  add column lost_cents integer not null default 0 check (lost_cents between 0 and amount_cents);
update coin_purchases set lost_cents = amount_cents where dispute_status = 'lost';
update payment_reports r set lost_cents = p.amount_cents
  from coin_purchases p where p.payment_intent_id = r.payment_intent_id and r.dispute_status = 'lost';

-- What one change of the refunded or lost amount moved. Amounts are negative where money or coins came
-- back after all: a failed refund, a dispute won on appeal.
create table purchase_adjustments (
  id bigint generated always as identity primary key,
  purchase_id uuid not null references coin_purchases,
  transaction_id bigint not null unique references ledger_transactions,
  kind text not null check (kind in ('refund', 'dispute')),
  -- Money that left us.
  cents integer not null,
  -- Bought coins that were taken back: from the wallet, by reversing sales, and as a debt.
  coins integer not null,
  wallet_coins integer not null,
  sale_coins integer not null,
  owed_coins integer not null,
  -- Welcome coins of a guest deal that were taken back: from the wallet, and by reversing a sale.
  welcome_wallet_coins integer not null,
  welcome_sale_coins integer not null,
  created_at timestamptz not null,
  check (coins = wallet_coins + sale_coins + owed_coins)
);
create index purchase_adjustments_purchase on purchase_adjustments (purchase_id);
create index purchase_adjustments_newest on purchase_adjustments (created_at);
create trigger purchase_adjustments_append_only before update or delete on purchase_adjustments
  for each row execute function refuse_change();

insert into purchase_adjustments (purchase_id, transaction_id, kind, cents, coins, wallet_coins,
    sale_coins, owed_coins, welcome_wallet_coins, welcome_sale_coins, created_at)
select c.id, t.id, t.kind,
  coalesce(-sum(p.amount) filter (where p.account = 'provider'), 0),
  coalesce(sum(p.amount) filter (where p.account = 'sold'), 0),
  coalesce(-sum(p.amount) filter (where p.account = 'wallet'), 0),
  coalesce(-sum(p.amount) filter (where p.account = 'redeemed'), 0),
  coalesce(-sum(p.amount) filter (where p.account = 'owed'), 0),
  0, 0, t.created_at
from ledger_transactions t
join coin_purchases c on c.id::text = split_part(t.reference, ':', 1)
join ledger_postings p on p.transaction_id = t.id
where t.kind in ('refund', 'dispute')
group by c.id, t.id, t.kind, t.created_at;

-- Which purchase a refund or dispute reversed a sale for.
alter table earning_reversals add column purchase_id uuid references coin_purchases;
drop trigger earning_reversals_append_only on earning_reversals;
-- Of those that are there, the next adjustment of the same buyer wrote them.
update earning_reversals r set purchase_id = (
  select a.purchase_id from purchase_adjustments a
  join coin_purchases c on c.id = a.purchase_id
  join sales s on s.id = r.sale_id and s.buyer_id = c.user_id
  where a.kind = r.reason and a.transaction_id > r.transaction_id and a.sale_coins > 0
  order by a.transaction_id limit 1)
where r.reason in ('refund', 'dispute');
create index earning_reversals_purchase on earning_reversals (purchase_id)
  where purchase_id is not null;

-- A reversal that was undone because the money came back. The reversal itself leaves its table, so that
-- nothing counts it any more; this row and the ledger keep its history.
create table earning_restorations (
  id bigint generated always as identity primary key,
  sale_id bigint not null references earnings,
  purchase_id uuid not null references coin_purchases,
  reversal_transaction_id bigint not null unique references ledger_transactions,
  -- Both by database transaction, as roll-ups read them.
  reversed_xid xid8 not null,
  transaction_id bigint not null unique references ledger_transactions,
  created_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id()
);
create index earning_restorations_sale on earning_restorations (sale_id);
create index earning_restorations_xid on earning_restorations (created_xid);
create index earning_restorations_reversed_xid on earning_restorations (reversed_xid);
create trigger earning_restorations_append_only before update or delete on earning_restorations
  for each row execute function refuse_change();

-- A reversal is never changed, and deleted only once its restoration is written down.
create function keep_reversals() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from earning_restorations r where r.reversal_transaction_id = old.transaction_id) then
    return old;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation';
end $$;
create trigger earning_reversals_append_only before update or delete on earning_reversals
  for each row execute function keep_reversals();

-- Runs as the owner of the schema: the application's own role may not delete reversals.
create function restore_earning(p_sale bigint, p_transaction bigint, p_at timestamptz)
returns void language plpgsql security definer set search_path = public as $$
begin
  insert into earning_restorations (sale_id, purchase_id, reversal_transaction_id, reversed_xid,
      transaction_id, created_at)
    select r.sale_id, r.purchase_id, r.transaction_id, r.created_xid, p_transaction, p_at
    from earning_reversals r where r.sale_id = p_sale;
  delete from earning_reversals where sale_id = p_sale;
end $$;

-- The page of an order's second attempt stays open longer than the first one's.
alter table orders add column checkout_expires_at timestamptz;

-- A card used through a phone's wallet has another fingerprint on each device; what its holder and
-- ending come to stays the same. Kept as a hash.
alter table guest_deals add column payer_hash text unique;

-- The demo's provider: refunds that failed, and disputes of a part.
alter table stand_in_sessions
  add column failed_refund_cents integer not null default 0 check (failed_refund_cents >= 0),
  add column disputed_cents integer check (disputed_cents between 1 and amount_cents),
  add column card_wallet text,
  add column card_holder text;
