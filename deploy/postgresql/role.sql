-- The server's role and database, made once by a superuser; the password comes from a file:
--
--   psql --username postgres --set password="$(cat database-password)" --file role.sql
--
-- The role is no superuser. It owns its database, and so may make its tables there; nobody else may connect to it.
\set ON_ERROR_STOP on

CREATE ROLE proximity LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 60 PASSWORD :'password';
-- The server asks for this itself. Here it also counts behind a pooler, which does not pass it on.
ALTER ROLE proximity SET idle_in_transaction_session_timeout = '60s';
CREATE DATABASE proximity OWNER proximity ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;
REVOKE ALL ON DATABASE proximity FROM PUBLIC;
