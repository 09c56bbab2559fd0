# The part of the official entrypoint that docker-compose.yml and the tests use.
set -e
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups bash "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=$POSTGRES_USER}"
  pwfile=${POSTGRES_PASSWORD_FILE:-$(mktemp)}
  [ -z "${POSTGRES_PASSWORD:-}" ] || echo "$POSTGRES_PASSWORD" > "$pwfile"
  initdb --username="$POSTGRES_USER" --pwfile="$pwfile" --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl -w start -o '-c listen_addresses= -c unix_socket_directories=/var/run/postgresql'
  [ "$POSTGRES_DB" = postgres ] || createdb -h /var/run/postgresql -U "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -w stop
fi
exec "$@" -c unix_socket_directories=/var/run/postgresql
