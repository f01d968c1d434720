-- What a creator is told about their tips, earnings and account: shown on the dashboard, and sent by e-mail.
create table creator_notices (
  id bigint generated always as identity primary key,
  creator_id uuid not null references creators,
  title text not null,
  message text not null,
  -- As the operator typed it; empty where there is none.
  reason text not null default '',
  created_at timestamptz not null
);
create index creator_notices_creator on creator_notices (creator_id, id desc);
