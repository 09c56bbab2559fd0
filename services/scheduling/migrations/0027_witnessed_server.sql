-- additive
-- The database server that the senders saw last. A sender that starts on another one pauses as those that run
-- do: they may remember calls that it lacks.
create table witnessed_server (
  one_row boolean primary key default true check (one_row),
  system_id text not null,
  timeline integer not null
);
