-- Tips: results that an admin enters for a single tip.

-- Trigger function of tips: refuses the result of an admin who has tips in the race while admins without tips exist.
-- The same rule as require_result_authors for the result of a race. The claim of a creator is not an official result.
create function require_tip_result_author() returns trigger language plpgsql as $$
begin
  if exists (
    select from race_cards c where c.id = new.race_card_id
      and has_tips_in_races(new.settled_by, c.venue_id, c.race_date, array[new.race_number])
      and not exists (
        select from list_result_authors(c.venue_id, c.race_date, array[new.race_number]) a
        where a.user_id = new.settled_by)
  ) then
    raise exception 'the result of a tip must be entered by an admin without tips in the race'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger tips_result_author before update of result, settled_by on tips
  for each row when (new.settled_by is not null and new.result is not null and not new.is_claim
    and new.settlement_version is null)
  execute function require_tip_result_author();

-- Results of before: those of races without declared runners were not marked.
update creator_records n set has_one_person_results = true
where not n.has_one_person_results and exists (
  select from race_cards c join tips t on t.race_card_id = c.id
  where c.creator_id = n.creator_id and t.result in ('won', 'lost') and not t.is_claim
    and t.settlement_version is null);
