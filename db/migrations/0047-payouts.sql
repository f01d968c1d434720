-- Payouts: a suspended creator sells nothing more, so the minimum does not apply to what they are still owed.

-- True if the creator was suspended when the payout was created. Only such a payout can be below R100.
alter table payouts add column is_final boolean not null default false;
alter table payouts
  drop constraint payouts_amount_cents_check,
  add constraint payouts_amount_cents_check
    check (amount_cents >= case when is_final then 1 else 10000 end);
