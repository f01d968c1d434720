-- Creates the two roles of docs/operations.md on a new server. Run by psql as a superuser. The PostgreSQL image
-- runs this file when its volume is empty; the passwords are environment variables of the container.
\getenv owner_password FURLONG_OWNER_PASSWORD
\getenv app_password FURLONG_APP_PASSWORD
create role furlong_owner login password :'owner_password';
create role furlong_app login password :'app_password';
alter database furlong owner to furlong_owner;
