-- Tips: an offer is computed from its own race card only.

-- Replaces the function of 0030-tips.sql. It is not in language sql, because the planner would merge that into the
-- statement of refresh_offers, and then computed the offers of all race cards to find a few.
create or replace function compute_offer(p_card uuid) returns setof race_card_offers
language plpgsql stable as $$
begin
  return query
  select c.id, c.creator_id, c.race_date, k.suspended_at is not null, o.tip_ids, o.off_times,
    assumed_off_at(c.race_date, o.reported_off_at, o.entered_off_at)
  from race_cards c join creators k on k.user_id = c.creator_id
  cross join lateral (
    select coalesce(array_agg(sold.id order by sold.race_number), '{}') as tip_ids,
      coalesce(array_agg(sold.off_at order by sold.off_at) filter (where sold.off_at is not null), '{}')
        as off_times,
      max(sold.reported_off_at) as reported_off_at, max(sold.entered_off_at) as entered_off_at
    from (
      select t.id, t.race_number, t.entered_off_at, r.off_at as reported_off_at,
        coalesce(r.off_at, t.entered_off_at) as off_at
      from tips t left join race_off_times r on r.venue_id = c.venue_id
        and r.race_date = c.race_date and r.race_number = t.race_number
      where t.race_card_id = c.id and t.hidden_at is null and t.result is distinct from 'void'
        and not exists (select from tip_scratchings x where x.tip_id = t.id and x.scratched_at is not null)
    ) sold
  ) o
  where c.id = p_card;
end $$;
