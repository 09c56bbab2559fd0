-- additive
create table webhooks (
  id text primary key,
  account_id text not null,
  url text not null,
  events text[] not null,
  status text not null default 'enabled',
  disabled_reason text,
  -- [{ "sealed": text, "until": time or null }], the current one first. Sealed with the ENCRYPTION_KEYS.
  secrets jsonb not null,
  -- First failed attempt since the last success.
  failing_since timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint webhook_status_known check (status in ('enabled', 'disabled')),
  constraint webhook_disabled_has_reason check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_has_events check (cardinality(events) > 0)
);

create index webhooks_newest on webhooks (account_id, created_at desc, id desc) where deleted_at is null;

-- Last feed position given per account. Its row lock is held until the event commits: whoever can read a
-- position can read every smaller one, so no event ever appears behind a cursor that was given out.
create table feed_heads (
  account_id text primary key,
  position bigint not null
) with (fillfactor = 50);

create table feed_events (
  id text primary key,
  account_id text not null,
  position bigint not null,
  type text not null,
  -- Type and id of what it tells of; sequence counts per resource.
  resource text not null,
  sequence bigint not null,
  -- The object of that moment, with image ids in place of links; json keeps the order of its fields.
  data json not null,
  created_at timestamptz(3) not null,
  constraint feed_events_position unique (account_id, position)
);

create index feed_events_created_at on feed_events (created_at);

-- A delivery is written many times for each event, so it carries what it needs and no more. No foreign keys: each
-- costs a look-up and a row lock per delivery, endpoints are never removed (deleted_at) and events go together
-- with their deliveries. One index serves both the rule and the removal by event.
create table deliveries (
  id text primary key,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  resource text not null,
  sequence bigint not null,
  status text not null default 'pending',
  attempts jsonb not null default '[]',
  -- Of the series in hand; a replay starts a new one.
  attempts_made integer not null default 0,
  attempted_at timestamptz(3),
  -- While a worker has it in hand this is the end of its lease, so that a dead worker's row is due again by itself.
  next_attempt_at timestamptz(3),
  lease_token text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint deliveries_one_per_event unique (event_id, webhook_id),
  constraint delivery_status_known check (status in ('pending', 'delivered', 'failed')),
  constraint delivery_pending_has_time check ((status = 'pending') = (next_attempt_at is not null))
);

create index deliveries_newest on deliveries (webhook_id, created_at desc, id desc);
-- What the delivery worker looks for: by endpoint, and when to look again.
create index deliveries_due_by_webhook on deliveries (webhook_id, next_attempt_at, sequence)
  where status = 'pending';
create index deliveries_due on deliveries (next_attempt_at) where status = 'pending';
-- Does an earlier event of the same resource still wait for its first attempt?
create index deliveries_unattempted on deliveries (webhook_id, resource, sequence)
  where status = 'pending' and attempted_at is null;
