-- Creators: a closed account keeps no speciality and no bio. Erases those of the accounts that were closed before.
update creators c set specialization = '', bio = '' from users u
  where u.id = c.user_id and u.closed_at is not null and (c.specialization <> '' or c.bio <> '');
