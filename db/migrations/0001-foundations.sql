-- A time-ordered UUID (version 7), so that indexes grow at their end on any PostgreSQL from 15 on.
create function new_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- For tables whose rows are history: what is written stays as written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation';
end $$;

create function total(parts smallint[]) returns bigint language sql immutable parallel safe as $$
  select coalesce(sum(part), 0) from unnest(parts) as part
$$;
