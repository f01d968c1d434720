-- Open accounts are counted when the number is asked for, so nothing keeps their number.
drop trigger users_update_counts on users;
drop function update_user_counts();
drop table user_counts;
