-- The entries have no gaps, their number equals the size of the log, and the newest checkpoint covers all of them. The
-- entries of log n begin at the index (n - 1) * 2^40. The entries of each creator are numbered without gaps, each
-- refers to the previous one, and the stored last entry is the newest one.
with appended as (
  select e.entry_index, convert_from(e.body, 'UTF8')::jsonb as body, e.leaf_hash
  from proof_entries e where e.appended_at >= $1
)
select 'log' as problem, l.size as entry_index, null::uuid as creator_id
from proof_logs l
where l.size <> (select coalesce(max(entry_index) + 1 - l.first_index, 0) from proof_entries
    where entry_index between l.first_index and l.first_index + (1::bigint << 40) - 1)
  or l.size <> (select coalesce(max(size) - l.first_index, 0) from proof_checkpoints
    where size between l.first_index + 1 and l.first_index + (1::bigint << 40))
union all
select 'gap', a.entry_index, null
from appended a
where a.entry_index % (1::bigint << 40) > 0 and not exists (select from proof_entries b where b.entry_index = a.entry_index - 1)
union all
select 'chain', a.entry_index, p.creator_id
from appended a
left join lateral ( -- entry by entry, so that no plan reads all of them
  select proof_id, seq from proof_creator_entries where entry_index = a.entry_index limit 1
) n on true
left join lateral (
  select proof_id, creator_id from proof_creators where proof_id = n.proof_id limit 1
) p on true
left join lateral (
  select entry_index from proof_creator_entries where proof_id = n.proof_id and seq = n.seq - 1 limit 1
) b on true
left join lateral (
  select entry_index, leaf_hash from proof_entries where entry_index = b.entry_index limit 1
) f on true
where a.body ? 'creator' and (
  a.body ->> 'creator' is distinct from p.proof_id
  or (a.body ->> 'seq')::integer is distinct from n.seq
  or a.body ->> 'prev' is distinct from encode(f.leaf_hash, 'base64')
  or (n.seq > 0) <> (f.entry_index is not null))
union all
select 'newest', e.entry_index, p.creator_id
from proof_creators p
left join lateral (
  select entry_index from proof_creator_entries where proof_id = p.proof_id and seq = p.next_seq - 1 limit 1
) n on true
left join lateral (select entry_index, leaf_hash from proof_entries where entry_index = n.entry_index limit 1) e
  on true
where p.last_entry_at >= $1 and (p.last_hash is distinct from e.leaf_hash
  or exists (select from proof_creator_entries m where m.proof_id = p.proof_id and m.seq >= p.next_seq))
