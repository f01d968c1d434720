-- Audit: who did what to which subject. Append-only.

create table audit_entries (
  id bigint generated always as identity primary key,
  -- References users (0004-identity.sql). Null for the product itself.
  actor_id uuid,
  act text not null,
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null
);
create index audit_entries_newest on audit_entries (created_at desc, id desc);
create index audit_entries_act on audit_entries (act, id desc);
create index audit_entries_actor on audit_entries (actor_id, id desc);
create index audit_entries_subject on audit_entries (subject, id desc);

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_keep before truncate on audit_entries
  for each statement execute function refuse_change();
