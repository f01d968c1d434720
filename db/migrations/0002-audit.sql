-- Audit: the log of admin and account actions. Append-only.

create table audit_entries (
  id bigint generated always as identity primary key,
  -- References users (0004-identity.sql). Null for actions that the system performs without a user.
  actor_id uuid,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null
);
create index audit_entries_newest on audit_entries (created_at desc, id desc);
create index audit_entries_action on audit_entries (action, id desc);
create index audit_entries_actor on audit_entries (actor_id, id desc);
create index audit_entries_subject on audit_entries (subject, id desc);

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_change();
