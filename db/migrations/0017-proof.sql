-- No witness cosigns checkpoints: all timestamps are responses of RFC 3161. Rows of witnesses are deleted, although
-- timestamps are append-only, because they would be served as such responses.
alter table proof_timestamps disable trigger user;
delete from proof_timestamps where kind <> 'rfc3161';
alter table proof_timestamps enable trigger user;
delete from proof_timestamp_requests where kind <> 'rfc3161';

-- Drops the checks, the primary keys and the index that contain the column.
alter table proof_timestamps drop column kind;
alter table proof_timestamps add primary key (size, authority),
  add check (authority ~ '^[a-z0-9][a-z0-9.-]{0,252}$');
create index proof_timestamps_newest on proof_timestamps (authority, size desc);
alter table proof_timestamp_requests drop column kind;
alter table proof_timestamp_requests add primary key (authority);

-- The reason is in the first entry of the next log and in the audit log.
alter table proof_logs drop column closed_why;

-- No entries are recovered without their creators.
alter table proof_creators alter column creator_id set not null;
