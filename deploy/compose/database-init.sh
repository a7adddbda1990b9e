#!/bin/sh
# Run by the image of PostgreSQL when the volume is new.
set -eu
psql --no-psqlrc --username postgres --set password="$(cat /run/secrets/database-password)" --file /role.sql
