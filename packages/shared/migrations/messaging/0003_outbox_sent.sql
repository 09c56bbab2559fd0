-- additive
-- Events that the bus took, by the UTC day on which it did. Kept for three days, so that what the bus loses can be
-- published again. No index: the relay only appends, and whoever publishes again reads whole days.
create table outbox_sent (
  id bigint not null,
  event_id text not null,
  topic text not null,
  key text not null,
  payload text not null,
  headers jsonb not null,
  created_at timestamptz not null,
  sent_at timestamptz not null default now()
) partition by range (sent_at);

-- Every outbox id up to the floor is settled for good, so the relay looks above it. One row at most.
create table outbox_floor (
  is_only boolean primary key default true,
  floor bigint not null,
  constraint outbox_floor_once check (is_only)
);

-- The service's role may not create tables: this makes the partition of a day, and nothing else, with the owner's
-- rights. True when it was made now. Made aside and attached, so that inserts go on meanwhile.
create function ensure_outbox_day(day date) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  home text := quote_ident(current_schema);
  table_name text := 'outbox_sent_' || to_char(day, 'YYYY_MM_DD');
  partition text := home || '.' || table_name;
begin
  if to_regclass(partition) is not null then return false; end if;
  if day < '2020-01-01' or day >= '2100-01-01' then raise exception 'no partition for %', day; end if;
  perform pg_advisory_xact_lock(hashtext(home || ' outbox days'));
  -- Not by to_regclass again: its cache does not know yet what another made while this one waited.
  perform 1 from pg_tables where schemaname = current_schema and tablename = table_name;
  if found then return false; end if;
  execute format('create table %s (like %s.outbox_sent including all)', partition, home);
  execute format(
    'alter table %s.outbox_sent attach partition %s for values from (%L) to (%L)', home, partition,
    to_char(day, 'YYYY-MM-DD "00:00+00"'), to_char(day + 1, 'YYYY-MM-DD "00:00+00"')
  );
  return true;
end $$;

-- Drops the days before the given one, oldest first; never today or one of the two days before. A drop needs the table
-- to itself and inserts queue behind it, so it gives up after 100 ms: a backup may be reading.
create function drop_outbox_days(before date) returns setof text
language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  home text := quote_ident(current_schema);
  partition record;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = (home || '.outbox_sent')::regclass
      and to_date(right(c.relname, 10), 'YYYY_MM_DD') < least(before, (now() at time zone 'UTC')::date - 2)
    order by c.relname
  loop
    execute format('drop table %s.%I', home, partition.relname);
    return next partition.relname;
  end loop;
end $$;

do $$
begin
  revoke execute on function ensure_outbox_day(date), drop_outbox_days(date) from public;
  execute format(
    'grant execute on function ensure_outbox_day(date), drop_outbox_days(date) to %I', current_schema
  );
end $$;
