-- Sales: the email with the results of the race cards that a buyer opened for a day.

-- Choices to receive the results by email. Without a row, buyers receive them.
create table results_email_settings (
  user_id uuid primary key references users on delete cascade,
  wants_email boolean not null,
  changed_at timestamptz not null
);

-- The buyers to whom today's results were emailed, so that each gets one email a day. Rows of earlier days are deleted.
create table results_emails (
  race_date date,
  buyer_id uuid references users on delete cascade,
  created_at timestamptz not null,
  primary key (race_date, buyer_id)
);
