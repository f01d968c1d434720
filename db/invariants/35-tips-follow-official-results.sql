-- Every tip of a race with an official result was settled by the newest confirmed version of it, and has the result
-- of that settlement. Exceptions: a result from before names were entered settles nothing, and tips of a race card that
-- an admin voided stay void. Where no runners were declared, the settlement is that of settle_by_entered_names, unless a
-- change of surface voided the tip.
with touched as (
  select race_day_id, race_number from race_results where confirmed_at >= $1
  union
  select s.race_day_id, s.race_number from tip_settlements s where s.settled_at >= $1
  union
  select d.id, t.race_number from tips t
  join race_cards c on c.id = t.race_card_id
  join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date
  where t.settled_at >= $1
)
select t.id as tip_id, o.race_day_id, o.race_number, o.version, t.result, t.is_claim, t.settlement_version,
  s.outcome, s.void_reason, e.outcome as entered_outcome, e.void_reason as entered_void_reason
from touched k
join official_results o on o.race_day_id = k.race_day_id and o.race_number = k.race_number
join race_cards c on c.venue_id = o.venue_id and c.race_date = o.race_date
join tips t on t.race_card_id = c.id and t.race_number = o.race_number
left join tip_settlements s on s.tip_id = t.id and s.version = o.version
  and s.race_day_id = o.race_day_id and s.race_number = o.race_number
left join race_results r on r.race_day_id = o.race_day_id and r.race_number = o.race_number
  and r.version = o.version and r.has_entered_names
left join lateral settle_by_entered_names(r.race_day_id, r.race_number, r.version, t.tip_type, t.horse_number,
  t.horse_name) e on r.version is not null
where (o.status <> 'official' or t.settlement_version is not null or exists (
    select from result_runners u where u.race_day_id = o.race_day_id and u.race_number = o.race_number
      and u.version = o.version and u.horse_name is not null))
  and not (t.result is not distinct from 'void' and t.settlement_version is null and exists (
    select from void_race_cards v where v.race_card_id = t.race_card_id and v.is_voided_by_admin))
  and (t.settlement_version is distinct from o.version or t.is_claim
    or t.result is distinct from case s.outcome when 'placed' then 'won' else s.outcome end
    or (r.version is not null and s.void_reason is distinct from 'moved-surface'
      and (s.outcome, s.void_reason, s.position) is distinct from (e.outcome, e.void_reason, e.position)))
