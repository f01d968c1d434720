-- What is checked with every sale, made cheap. PostgreSQL reads the text of a check anew for each
-- statement, so a long one costs more than the row it guards; a call of a plpgsql function does not,
-- whose body is kept ready. The rules are the same as before.

create function is_posting(account text, owner_id uuid, unit text, balance_after integer)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return case account
    when 'wallet' then unit = 'coin' and owner_id is not null and balance_after is not null
    when 'owed' then unit = 'coin' and owner_id is not null and balance_after is null
    when 'sold' then unit = 'coin' and owner_id is null and balance_after is null
    when 'welcome' then unit = 'coin' and owner_id is null and balance_after is null
    when 'granted' then unit = 'coin' and owner_id is null and balance_after is null
    when 'redeemed' then unit = 'coin' and owner_id is null and balance_after is null
    when 'forfeited' then unit = 'coin' and owner_id is null and balance_after is null
    when 'payable' then unit = 'cent' and owner_id is not null and balance_after is null
    when 'commission' then unit = 'cent' and owner_id is null and balance_after is null
    when 'provider' then unit = 'cent' and owner_id is null and balance_after is null
    when 'coin sales' then unit = 'cent' and owner_id is null and balance_after is null
    when 'bank' then unit = 'cent' and owner_id is null and balance_after is null
    else false
  end;
end $$;
alter table ledger_postings drop constraint ledger_postings_account;
alter table ledger_postings add constraint ledger_postings_account
  check (is_posting(account, owner_id, unit, balance_after));

create or replace function total(parts smallint[]) returns bigint
language plpgsql immutable parallel safe as $$
declare
  part smallint;
  v_total bigint := 0;
begin
  foreach part in array coalesce(parts, '{}') loop
    v_total := v_total + coalesce(part, 0);
  end loop;
  return v_total;
end $$;

-- Before PostgreSQL 18 a function in plain SQL is planned anew with each call.
create or replace function session_user_id(p_token text, p_at timestamptz) returns uuid
language plpgsql stable parallel safe as $$
begin
  return (
    select s.user_id from sessions s join users u on u.id = s.user_id
    where s.token = p_token and s.expires_at > p_at and u.closed_at is null);
end $$;

-- As text in the order it is written: sorting the keys and packing the values (jsonb) cost more than
-- finding the tips.
drop function opened_tips(uuid, timestamptz);
create function opened_tips(p_card uuid, p_opened_at timestamptz) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
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
    where t.race_card_id = p_card and (t.hidden_at is null or t.hidden_at > p_opened_at));
end $$;
