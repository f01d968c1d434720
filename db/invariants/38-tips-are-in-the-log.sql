-- Every tip that was published since the log began is in the log within a minute, and its entry matches the tip: the
-- race, type and confidence in plain text, the horse and analysis as commitments. Tips that are published while the
-- log is stopped after a restore are not in it yet.
with touched as (
  select id from tips where published_at >= $1::timestamptz - interval '10 minutes'
  union
  select k.tip_id
  from proof_entries e
  cross join lateral (select tip_id from tip_commitments where entry_index = e.entry_index limit 1) k
  where e.appended_at >= $1
)
select t.id as tip_id, t.published_at, k.entry_index, convert_from(e.body, 'UTF8') as entry
from touched join tips t using (id)
join race_cards c on c.id = t.race_card_id
join venues v on v.id = c.venue_id
left join tip_commitments k on k.tip_id = t.id
left join proof_entries e on e.entry_index = k.entry_index
left join proof_creator_entries n on n.entry_index = k.entry_index
left join proof_creators p on p.proof_id = n.proof_id and p.creator_id = c.creator_id
cross join lateral (select convert_from(e.body, 'UTF8')::jsonb as body) as entry
where exists (
  select from proof_logs l where l.started_at <= t.published_at
    and t.published_at < least(l.closed_at, l.unconfirmed_since, 'infinity')
) and case when k.tip_id is null then t.published_at < $2::timestamptz - interval '1 minute' else
  k.text::jsonb is distinct from jsonb_build_object('creator', p.proof_id, 'horse', t.horse_name,
    'number', t.horse_number, 'price', null, 'seq', n.seq)
  or entry.body - '{at,off,prev,v}'::text[] is distinct from jsonb_build_object('kind', 'tip',
    'creator', p.proof_id, 'seq', n.seq, 'venue', v.slug, 'date', c.race_date, 'race', t.race_number,
    'type', t.tip_type, 'confidence', t.confidence,
    'selection', encode(sha256(convert_to(E'furlong.proof/v1 selection\n', 'UTF8') || k.salt
      || convert_to(k.text, 'UTF8')), 'base64'),
    'reasons', encode(sha256(convert_to(E'furlong.proof/v1 reasons\n', 'UTF8') || k.analysis_salt
      || convert_to(t.analysis, 'UTF8')), 'base64'))
end
