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
