-- Tips: where no off was known, a tip counts if it was published before 11:00 of its date, or 120 minutes before the off
-- that was learnt later.

-- True if the off of the race was known when the tip was published. Its race was closed for tips by that off.
alter table tips add column was_off_known boolean not null default true;
alter table tips disable trigger user;
update tips t set was_off_known = false
from tip_commitments k join proof_entries e on e.entry_index = k.entry_index
where k.tip_id = t.id and convert_from(e.body, 'UTF8')::json ->> 'off' is null;
alter table tips enable trigger user;

-- Replaces is_late_tip of 0007-tips.sql. Returns the first instant at which a tip that was published then does not
-- count. The same rule as computeRecordDeadline in src/domain/proof/verify-log.js.
drop function is_late_tip(date, timestamptz, timestamptz);
create function record_deadline(p_race_date date, p_known_off timestamptz, p_was_off_known boolean)
returns timestamptz language plpgsql immutable parallel safe as $$
declare
  v_unknown timestamptz := (p_race_date + time '11:00') at time zone 'Africa/Johannesburg';
begin
  return case when p_known_off is null then v_unknown when p_was_off_known then p_known_off
    else least(p_known_off, greatest(v_unknown, p_known_off - interval '120 minutes')) end;
end $$;

-- Replaces the function of 0007-tips.sql.
--
-- Trigger function: refuses changes to the published content of a tip (restrict_violation). Lateness may change
-- only to match the known off time. Visibility and results may change.
create or replace function refuse_tip_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.race_card_id, new.race_number, new.entered_off_at, new.horse_number, new.horse_name,
      new.tip_type, new.confidence, new.analysis, new.tip_text, new.published_at, new.was_off_known)
    is distinct from
     (old.id, old.race_card_id, old.race_number, old.entered_off_at, old.horse_number, old.horse_name,
      old.tip_type, old.confidence, old.analysis, old.tip_text, old.published_at, old.was_off_known) then
    raise exception 'a published tip cannot change' using errcode = 'restrict_violation';
  end if;
  if new.is_late <> old.is_late and new.is_late <> (
      select new.published_at >= record_deadline(c.race_date, r.off_at, new.was_off_known)
      from race_cards c left join race_off_times r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = new.race_number
      where c.id = new.race_card_id) then
    raise exception 'is_late must match the known off time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Replaces the function of 0020-tips.sql.
--
-- Updates everything that depends on the known off times of races, which are passed in two parallel arrays:
-- the lateness of tips, when race cards go off sale, and the tallies of creators with results on those days,
-- because results are ordered by off time. Locks the tips whose lateness changes, then the offers, then the
-- records of all creators with race cards on those days, each by id, which is the lock order of settlements. A
-- settlement calls it with its creators locked, and then needs no other record.
create or replace function update_for_off_times(p_race_days uuid[], p_race_numbers smallint[]) returns void
language plpgsql as $$
declare
  v_tips uuid[];
begin
  select array_agg(id) into v_tips from (
    select t.id
    from unnest(p_race_days, p_race_numbers) as x (race_day_id, race_number)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    join tips t on t.race_card_id = c.id and t.race_number = x.race_number
    where t.is_late <> (t.published_at >= record_deadline(c.race_date, (select r.off_at from race_off_times r
      where r.venue_id = c.venue_id and r.race_date = c.race_date and r.race_number = t.race_number), t.was_off_known))
    order by t.id for no key update of t
  ) late;
  perform refresh_offers(array(
    select distinct c.id from unnest(p_race_days) as x (race_day_id)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date));
  perform from creator_records where creator_id in (
    select c.creator_id from unnest(p_race_days) as x (race_day_id)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date)
    order by creator_id for no key update;
  update creator_records set is_tallied = false where is_tallied and creator_id in (
    select c.creator_id from unnest(p_race_days) as x (race_day_id)
    join race_days d on d.id = x.race_day_id
    join race_cards c on c.venue_id = d.venue_id and c.race_date = d.race_date
    where exists (select from tips t where t.race_card_id = c.id and t.result is not null));
  if v_tips is not null then perform update_lateness(v_tips); end if;
end $$;

-- Tips that were published without a known off, and whose off was learnt since.
select update_for_off_times(array_agg(r.race_day_id), array_agg(r.race_number))
from (
  select distinct r.race_day_id, r.race_number
  from tips t join race_cards c on c.id = t.race_card_id
  join race_days d on d.venue_id = c.venue_id and d.race_date = c.race_date
  join races r on r.race_day_id = d.id and r.race_number = t.race_number
  where not t.was_off_known
) r having count(*) > 0;
