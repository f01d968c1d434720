-- Payments: the process that sends a refund to its provider reserves it until this time, so that no other one sends it
-- as well. Null when none does. Not every provider recognises a refund that is requested twice.
alter table purchase_refunds add column sending_until timestamptz;
alter table unspent_coin_refunds add column sending_until timestamptz;
