-- Racing: which races were run.

-- The races that were run, by venue and date: those that have had an official result, even if it was corrected later.
-- Other features read from this view whether a race was run, so that what was public once stays public.
create view finished_races as
  select d.venue_id, d.race_date, r.race_number
  from race_days d join race_results r on r.race_day_id = d.id
  where r.confirmed_at is not null and r.status = 'official';
