-- The tips of a card as whoever opened it at an instant may read them: all that were there to be read
-- at any moment since. The caller has made sure that it was opened.
create function opened_tips(p_card uuid, p_opened_at timestamptz) returns jsonb
language sql stable parallel safe as $$
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', t.id, 'raceNumber', t.race_number,
      'offAt', coalesce(r.off_at, t.given_off_at),
      'horseNumber', t.horse_number, 'horseName', t.horse_name, 'tipType', t.tip_type,
      'confidence', t.confidence, 'analysis', t.analysis, 'result', t.result,
      'isLate', t.is_late, 'publishedAt', t.published_at
    ) order by t.race_number), '[]')
  from tips t
  join race_cards c on c.id = t.race_card_id
  left join race_offs r on r.venue_id = c.venue_id and r.race_date = c.race_date
    and r.race_number = t.race_number
  where t.race_card_id = p_card and (t.hidden_at is null or t.hidden_at > p_opened_at)
$$;
