-- Platform: when an admin dismissed an email that could not be delivered. It is not tried again until it is resent.
alter table emails add column dismissed_at timestamptz;
