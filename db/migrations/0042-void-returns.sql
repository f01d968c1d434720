-- The coins that a void card has returned: one row a sale. Its buyer is told by it, and neither a refund
-- nor a dispute reverses such a sale any more.
create table void_returns (
  sale_id bigint primary key references sales,
  transaction_id bigint not null unique references ledger_transactions,
  created_at timestamptz not null
);
create trigger void_returns_append_only before update or delete on void_returns
  for each row execute function refuse_change();
create trigger void_returns_keep before truncate on void_returns
  for each statement execute function refuse_change();

insert into void_returns (sale_id, transaction_id, created_at)
select s.id, t.id, t.created_at
from ledger_transactions t
join sales s on s.id = case when t.reference ~ '^(sale|void):\d+$' then split_part(t.reference, ':', 2)::bigint end
where t.kind = 'reversal'
  and exists (select from ledger_postings p where p.transaction_id = t.id and p.unit = 'coin');
