-- When an admin released an earning that was held for review. It is not held for the share of guest deals again.
alter table earnings add column reviewed_at timestamptz;

-- Earnings of guest deals in earlier payouts count as reviewed: nothing held them.
update earnings e set reviewed_at = now()
from sales s join wallets w on w.user_id = s.buyer_id and w.guest_deal_at is not null
where s.id = e.sale_id and e.payout_id is not null
  and not exists (select from sales f where f.buyer_id = s.buyer_id and f.id < s.id);
