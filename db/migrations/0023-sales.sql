-- Sales: an earning that would come back to a creator whose account is closed goes to the house. It is reversed again,
-- with a reason of its own.
alter table earning_reversals
  drop constraint earning_reversals_reason_check,
  add constraint earning_reversals_reason_check check (reason in ('refund', 'dispute', 'void', 'review', 'closed'));
