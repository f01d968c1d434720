-- Payments: what had gone back of the payment when its unspent coins were refunded. What goes back later, by this refund
-- or another one, is not due with the claim code any more.
alter table unspent_coin_refunds add column returned_cents_before integer not null default 0;
update unspent_coin_refunds r set returned_cents_before = greatest(0,
  least(p.amount_cents, p.refunded_cents + p.lost_cents) - case when r.status = 'sent' then r.amount_cents else 0 end)
from coin_purchases p where p.id = r.purchase_id;
alter table unspent_coin_refunds alter column returned_cents_before drop default;
