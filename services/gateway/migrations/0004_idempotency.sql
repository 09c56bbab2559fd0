-- additive
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
