"""Makes the role on a new PostgreSQL server, and tries what it may: role.py ROLE.sql"""
import os
import subprocess
import sys
from urllib.parse import urlsplit

server = urlsplit(os.environ["PROXIMITY_TEST_POSTGRES"])
PASSWORD = "it's \\ :secret"


def psql(user, database, *arguments, **environment):
    return subprocess.run(
        ["psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--host", server.hostname, "--port",
         str(server.port), "--username", user, "--dbname", database, *arguments],
        capture_output=True, text=True, timeout=30, env=os.environ | environment)


def value(user, database, sql):
    ended = psql(user, database, "--command", sql)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def refused(user, database, sql):
    ended = psql(user, database, "--command", sql)
    assert ended.returncode != 0, f"{user} may: {sql}"


made = psql(server.username, "postgres", "--set", f"password={PASSWORD}", "--file", sys.argv[1])
assert made.returncode == 0, made.stderr
hashed = value(server.username, "postgres", "SELECT rolpassword FROM pg_authid WHERE rolname = 'proximity'")
assert hashed.startswith("SCRAM-SHA-256$"), hashed
assert value("proximity", "proximity", "SHOW server_encoding") == "UTF8"
assert value("proximity", "proximity", "SHOW idle_in_transaction_session_timeout") == "1min"
assert value("proximity", "proximity", "CREATE TABLE a (b int); DROP TABLE a; SELECT 1") == "1"
for sql in ("CREATE ROLE other", "CREATE DATABASE other", "SELECT pg_read_file('PG_VERSION')"):
    refused("proximity", "proximity", sql)
value(server.username, "postgres", "CREATE ROLE stranger LOGIN")
refused("stranger", "proximity", "SELECT 1")
