-- additive
create table outbox (
  id bigint generated always as identity primary key,
  event_id text not null unique,
  topic text not null,
  key text not null,
  payload text not null,
  headers jsonb not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now()
);

-- Rows the bus will never take (too large, unknown topic): kept for a person, out of the way of the rest.
create table outbox_dead (
  id bigint primary key,
  event_id text not null unique,
  topic text not null,
  key text not null,
  payload text not null,
  headers jsonb not null,
  attempts integer not null,
  last_error text,
  created_at timestamptz not null,
  died_at timestamptz not null default now()
);

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- For pruning by age.
create index inbox_received_at on inbox (received_at);

-- Last sequence given per resource (type and id), taken in the owner's transaction.
create table event_sequences (
  resource text primary key,
  sequence bigint not null
);

create table idempotency_keys (
  account_id text not null,
  route text not null,
  key text not null,
  body_digest bytea not null,
  -- The id that the work was given when the key was claimed: the same after a crash and a second try.
  resource_id text not null,
  state text not null default 'running',
  locked_until timestamptz not null,
  response_status integer,
  response_body text,
  created_at timestamptz not null default now(),
  primary key (account_id, route, key),
  constraint idempotency_state_known check (state in ('running', 'done')),
  constraint idempotency_done_has_reply check (state = 'running' or response_body is not null)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);

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

-- Workspaces whose deletion was requested, as the gateway last reported it. A restored workspace stays as `open` and a
-- deleted one as `deleted`, so that a delayed report with a lower revision changes nothing.
create table workspace_standings (
  account_id text primary key,
  standing text not null,
  revision integer not null,
  changed_at timestamptz(3) not null,
  constraint workspace_standing_known check (standing in ('open', 'frozen', 'deleted'))
);

