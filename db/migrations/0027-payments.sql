-- Payments: what refunds and lost disputes take is computed from the whole history of their buyer, as
-- src/domain/lost-coins.ts, so that the order of the events does not matter.

alter table earnings
  -- The coins of the sale that its buyer has not paid for, because payments were refunded or lost. The buyer owes them.
  -- They reduce the earning as coins returned for void races do (coin_returns), or reverse all of it.
  add column lacking_coins smallint not null default 0 check (lacking_coins between 0 and card_price_coins());
create index earnings_lacking on earnings (sale_id) where lacking_coins > 0;

-- 'lost': all coins of the sale that were not returned are lacking. Nothing reverses for 'refund' or 'dispute' any more.
-- Those reversals stay as they were booked: their coins were taken from the sale, which costs its buyer nothing.
alter table earning_reversals
  drop constraint earning_reversals_reason_check,
  add constraint earning_reversals_reason_check
    check (reason in ('refund', 'dispute', 'lost', 'void', 'review', 'closed'));

alter table coin_purchases
  -- Welcome coins that were lost with the payment so far.
  add column recovered_welcome_coins integer not null default 0,
  add constraint coin_purchases_welcome check (recovered_welcome_coins between 0 and welcome_coins);
update coin_purchases p set recovered_welcome_coins = a.coins
from (select purchase_id, sum(welcome_wallet_coins + welcome_sale_coins) as coins
  from purchase_adjustments group by purchase_id) a
where a.purchase_id = p.id and a.coins > 0;

-- The postings tell from where coins were taken.
alter table purchase_adjustments add column welcome_coins integer not null default 0;
alter table purchase_adjustments disable trigger purchase_adjustments_append_only;
update purchase_adjustments set welcome_coins = welcome_wallet_coins + welcome_sale_coins
  where welcome_wallet_coins + welcome_sale_coins <> 0;
alter table purchase_adjustments enable trigger purchase_adjustments_append_only;
alter table purchase_adjustments
  alter column welcome_coins drop default,
  drop column wallet_coins, drop column sale_coins, drop column owed_coins,
  drop column welcome_wallet_coins, drop column welcome_sale_coins;

-- Returns the coins that a sale costs its buyer: its price less the coins returned for void races.
create function sale_cost_coins(p_sale bigint, p_price_coins smallint) returns integer
language sql stable parallel safe as $$
  select case when exists (select from earning_reversals r where r.sale_id = p_sale and r.reason in ('refund', 'dispute'))
    then 0
    else p_price_coins - coalesce((select sum(c.coins) from coin_returns c where c.sale_id = p_sale), 0)::integer end
$$;

-- Returns the coins that each sale of these buyers lacks, as calculateCoinPosition in src/domain/lost-coins.ts. With
-- p_are_disputes_lost, as if every payment with an open dispute were lost.
--
-- A sale takes the coins that are left and lacks the rest; the coins that are left at the end repay the oldest sales
-- first. Coins that the claim code of a closed account moved count like a sale, with a negative id. `lacked` is the sum of what the sales up to an event lack before that.
create function count_lacking_coins(p_buyers uuid[], p_are_disputes_lost boolean)
returns table (buyer_id uuid, sale_id bigint, coins bigint) language sql stable as $$
  with events as (
    select c.user_id, c.transaction_id, null::bigint as sale_id,
      case when p_are_disputes_lost and c.dispute_status is not distinct from 'open' then 0
        else c.coins + c.welcome_coins - c.recovered_coins - c.recovered_welcome_coins end as coins
    from coin_purchases c where c.user_id = any (p_buyers)
    union all
    select p.owner_id, t.id, null, p.amount
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
    where p.owner_id = any (p_buyers) and p.account in ('wallet', 'owed') and t.kind in ('grant', 'claim')
    union all
    select p.owner_id, t.id, -t.id, p.amount
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
    where p.owner_id = any (p_buyers) and p.account = 'forfeited' and t.kind = 'claim'
    union all
    select s.buyer_id, s.transaction_id, s.id, -sale_cost_coins(s.id, s.price_coins)
    from sales s where s.buyer_id = any (p_buyers)
  ), sums as (
    select e.*, sum(e.coins) over (partition by user_id order by transaction_id rows unbounded preceding) as balance,
      sum(e.coins) over (partition by user_id) as final_balance
    from events e
  ), walk as (
    select m.*, greatest(0, max(-balance) over history) as lacked,
      coalesce(greatest(0, max(-balance) over (history rows between unbounded preceding and 1 preceding)), 0)
        as lacked_before,
      final_balance + greatest(0, max(-balance) over (partition by user_id)) as repaid
    from sums m
    window history as (partition by user_id order by transaction_id)
  )
  select w.user_id, w.sale_id, greatest(0, w.lacked - greatest(w.lacked_before, w.repaid))::bigint
  from walk w where w.sale_id is not null
$$;

-- Books what the rule counts more than the one before: bought coins to the nearest coin instead of whole coins only, and
-- welcome coins that were not in the wallet. The job sync-lost-coins takes what is owed by it from the sales.
do $$
declare
  p record;
  v_taken integer;
  v_transaction bigint;
begin
  for p in
    select * from (
      select c.id, c.user_id, c.transaction_id,
        round(c.coins::numeric * lost.cents / c.amount_cents)::integer - c.recovered_coins as coins,
        case when lost.cents = c.amount_cents then c.welcome_coins else 0 end - c.recovered_welcome_coins as welcome_coins,
        (select count(*) from purchase_adjustments a where a.purchase_id = c.id) + 1 as step
      from coin_purchases c
      cross join lateral (select least(c.amount_cents, c.refunded_cents + c.lost_cents) as cents) lost
      where c.refunded_cents > 0 or c.dispute_status is not null
    ) due where due.coins <> 0 or due.welcome_coins <> 0 order by transaction_id
  loop
    select least(w.balance_coins + w.forfeited_coins, p.coins + p.welcome_coins) into v_taken
      from wallets w where w.user_id = p.user_id;
    v_transaction := post_to_ledger('refund', p.id || ':adjustment-' || p.step, now(), (
      select jsonb_agg(jsonb_build_object('account', account, 'owner', owner, 'unit', 'coin', 'amount', amount))
      from (values ('wallet', p.user_id, -v_taken), ('owed', p.user_id, v_taken - p.coins - p.welcome_coins),
        ('sold', null, p.coins), ('welcome', null, p.welcome_coins)) posting (account, owner, amount)
      where amount <> 0));
    insert into purchase_adjustments (purchase_id, transaction_id, kind, cents, coins, welcome_coins, created_at)
      values (p.id, v_transaction, 'refund', 0, p.coins, p.welcome_coins, now());
    update coin_purchases c set recovered_coins = c.recovered_coins + p.coins,
      recovered_welcome_coins = c.recovered_welcome_coins + p.welcome_coins where c.id = p.id;
  end loop;
end $$;
