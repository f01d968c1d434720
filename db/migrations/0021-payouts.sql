-- Payouts: a closed account keeps no bank details, and no photo. Erases those of the accounts that were closed before.
delete from bank_details b using users u where u.id = b.creator_id and u.closed_at is not null;
update creators c set profile_image = null from users u
  where u.id = c.user_id and u.closed_at is not null and c.profile_image is not null;
