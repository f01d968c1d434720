-- When an applicant said to be 18 or older and agreed to the tipster terms, as the application form has
-- them say. Null for one who was not asked: they are when they set their password.
alter table tipster_applications add column agreed_at timestamptz;
