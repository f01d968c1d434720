-- How payment files are written: the bank's format, the account that is debited, the operator's columns.
create table payment_file_settings (
  is_only boolean primary key default true check (is_only),
  settings jsonb not null,
  updated_at timestamptz not null,
  updated_by uuid references users
);
