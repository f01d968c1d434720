-- The number of entries equals the size of the log, without gaps, and the newest checkpoint covers all of them. The
-- entries of each creator are numbered without gaps and refer to the previous entry, and the stored last entry is the
-- newest.
with appended as (
  select e.entry_index, convert_from(e.body, 'UTF8')::jsonb as body, e.leaf_hash
  from proof_entries e where e.appended_at >= $1
)
select 'log' as problem, l.size as entry_index, null::uuid as creator_id
from proof_logs l
where l.size <> (select coalesce(max(entry_index) + 1, 0) from proof_entries)
  or l.size <> (select coalesce(max(size), 0) from proof_checkpoints)
union all
select 'gap', a.entry_index, null
from appended a
where a.entry_index > 0 and not exists (select from proof_entries b where b.entry_index = a.entry_index - 1)
union all
select 'chain', a.entry_index, n.creator_id
from appended a
left join lateral ( -- entry by entry, so that no plan reads all of them
  select creator_id, seq from proof_creator_entries where entry_index = a.entry_index limit 1
) n on true
left join lateral (select proof_id from proof_creators where creator_id = n.creator_id limit 1) p on true
left join lateral (
  select entry_index from proof_creator_entries where creator_id = n.creator_id and seq = n.seq - 1 limit 1
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
  select entry_index from proof_creator_entries where creator_id = p.creator_id and seq = p.next_seq - 1 limit 1
) n on true
left join lateral (select entry_index, leaf_hash from proof_entries where entry_index = n.entry_index limit 1) e
  on true
where p.last_entry_at >= $1 and (p.last_hash is distinct from e.leaf_hash
  or exists (select from proof_creator_entries m where m.creator_id = p.creator_id and m.seq >= p.next_seq))
