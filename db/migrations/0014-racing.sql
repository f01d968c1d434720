-- Names of races may have 120 characters: those with a sponsor's name have more than 80.
alter table races
  drop constraint races_name_check,
  add constraint races_name_check check (length(btrim(name)) between 1 and 120);
