-- Tips: the off of a race is the one of its official result, once that is confirmed. Until then it is the reported one.

-- Replaces the view of 0005-racing.sql. The known off times by venue and date. Other features read race days from this
-- view. A race that was not run keeps its reported off.
create or replace view race_off_times as
  select d.venue_id, d.race_date, r.race_number, coalesce((
      select n.off_at from race_results n
      where n.race_day_id = r.race_day_id and n.race_number = r.race_number and n.confirmed_at is not null
      order by n.version desc limit 1), r.off_at) as off_at
  from race_days d join races r on r.race_day_id = d.id;

-- Replaces the function of 0007-tips.sql.
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
    where t.is_late <> is_late_tip(c.race_date, (select r.off_at from race_off_times r
      where r.venue_id = c.venue_id and r.race_date = c.race_date and r.race_number = t.race_number), t.published_at)
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

-- Results that were confirmed before, with another off than the reported one.
select update_for_off_times(array_agg(o.race_day_id), array_agg(o.race_number))
from official_results o join races r on r.race_day_id = o.race_day_id and r.race_number = o.race_number
where o.off_at <> r.off_at having count(*) > 0;
