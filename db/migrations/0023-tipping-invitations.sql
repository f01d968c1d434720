-- Who had an account when the operator invited them to write as an analyst. They are one once they have
-- accepted, which is when they agree to the tipster terms; until then nothing of them is public.
create table analyst_invitations (
  user_id uuid primary key references users,
  display_name text not null check (length(btrim(display_name)) between 2 and 60),
  invited_by uuid not null references users,
  invited_at timestamptz not null,
  withdrawn_at timestamptz
);
