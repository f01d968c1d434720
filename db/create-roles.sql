-- The two roles of docs/operations.md, to be run by psql as a superuser on a new server. The PostgreSQL image
-- runs it when its volume is empty; the passwords are variables of its environment.
\getenv owner_password FURLONG_OWNER_PASSWORD
\getenv app_password FURLONG_APP_PASSWORD
create role furlong_owner login password :'owner_password';
create role furlong_app login password :'app_password';
alter database furlong owner to furlong_owner;
