-- additive
create table automations (
  id text primary key,
  account_id text not null,
  app_id text not null,
  tiktok_account_id text not null,
  format text not null,
  posting_times jsonb not null,
  timezone text not null,
  brief jsonb,
  approval_mode text not null,
  posting_mode text not null,
  privacy_level text,
  status text not null default 'active',
  -- The first slot that has not been settled; null while paused or deleted.
  next_fire_at timestamptz(3),
  -- The row stays for the firings that are still on their way (decision 46).
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Who made a record, and the keys that made or changed it, so that a leaked key's work can be found.
  created_by jsonb,
  key_ids text[] not null default '{}',
  -- Who last changed the brief, who else confirmed it, and whether the approval policy asks for that.
  author_id text,
  confirmed_by jsonb,
  awaits_confirmation boolean not null default false,
  -- Used in turn by the firings; topic_index is the place of the next one.
  topics text[] not null default '{}',
  topic_index integer not null default 0,
  until timestamptz(3),
  max_firings integer,
  firings_made integer not null default 0,
  -- The first firing that was skipped with nothing_new since the last that was not.
  nothing_new_since timestamptz(3),
  -- The caller's own id for it, and texts by name.
  external_id text,
  metadata jsonb,
  constraint automation_approval_mode_known check (approval_mode in ('auto', 'manual')),
  constraint automation_fires_only_when_active check (next_fire_at is null or (status = 'active' and deleted_at is null)),
  constraint automation_format_known check (format in ('slideshow', 'hook_video')),
  constraint automation_posting_mode_known check (posting_mode in ('drafts', 'publish')),
  constraint automation_privacy_only_with_publish check ((posting_mode = 'publish') = (privacy_level is not null)),
  constraint automation_status_known check (status in ('active', 'paused', 'ended'))
);

create index automations_newest on automations (account_id, created_at desc, id desc) where deleted_at is null;
-- What the firing worker looks for.
create index automations_due on automations (next_fire_at) where next_fire_at is not null;
-- Active automations without a next slot: those that were set aside.
create index automations_set_aside on automations (id) where status = 'active' and deleted_at is null and next_fire_at is null;
-- For the deletion of a workspace, with the rows that its lists hide.
create index automations_of_account on automations (account_id);

create table firings (
  id text primary key,
  automation_id text not null references automations(id),
  account_id text not null,
  slot timestamptz(3) not null,
  status text not null,
  -- As it stood when the slot fired: the content follows this one.
  approval_mode text not null,
  content_id text,
  schedule_id text,
  -- Set in the transaction that asks for the schedule, so that a second approval asks for no second one.
  schedule_requested_at timestamptz(3),
  reason text,
  -- A firing that is published again has the same topic.
  topic text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint firing_end_has_reason check (((status <> ALL (array['failed', 'skipped'])) or reason is not null)),
  constraint firing_status_known check (status in ('fired', 'generated', 'awaiting_approval', 'scheduled', 'done', 'failed', 'skipped')),
  constraint firings_one_per_slot unique (automation_id, slot)
);

create index firings_newest on firings (automation_id, created_at desc, id desc);
-- What retention looks for.
create index firings_ended on firings (created_at) where status in ('done', 'failed', 'skipped');
-- An automation's firings of one status, in the order of the list: without it a rare status reads all of
-- them.
create index firings_by_status on firings (automation_id, status, created_at desc, id desc);
-- Firings without an outcome, those first of which nothing was heard for longest.
create index firings_open on firings (updated_at, id) where status in ('fired', 'generated', 'awaiting_approval', 'scheduled');
-- The firing of a content, for the list's filter by content.
create index firings_by_content on firings (content_id) where content_id is not null;
-- Firings without content, oldest first: very few, among any number that wait for a person.
create index firings_without_content on firings (created_at) where status = 'fired';

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
  -- The sequence of the endpoint's webhook.disabled events.
  disabled_sequence bigint not null default 0,
  -- When attempts failed since the last success, the newest first, at most five of each: the five newest, and
  -- the five newest days (UTC). An endpoint is disabled only for failures that are recent and many.
  failed_at timestamptz(3)[] not null default '{}',
  failed_days date[] not null default '{}',
  -- Whether the key that set the address may read content. Without it, events carry the id of the content
  -- alone.
  reads_content boolean not null default false,
  created_by jsonb,
  key_ids text[] not null default '{}',
  -- Whether the key that set the address may read schedules. Without it, events give a schedule as its ids
  -- and status.
  reads_schedules boolean not null default false,
  -- Whether the endpoint was disabled or deleted with more pending deliveries than one transaction ends. They
  -- are not claimed, and a worker ends the rest.
  ends_deliveries boolean not null default false,
  constraint webhook_disabled_has_reason check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_has_events check (cardinality(events) > 0),
  constraint webhook_status_known check (status in ('enabled', 'disabled'))
);

create index webhooks_newest on webhooks (account_id, created_at desc, id desc) where deleted_at is null;
-- For the deletion of a workspace, with the rows that its lists hide.
create index webhooks_of_account on webhooks (account_id);
-- Almost always empty: the worker that ends deliveries finds the marked endpoints in it.
create index webhooks_ending on webhooks (id) where ends_deliveries;

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
  -- In which request and span an event came to be: its deliveries go on there.
  request_id text,
  traceparent text,
  constraint feed_events_position unique (account_id, "position")
);

create index feed_events_created_at on feed_events (created_at);

-- A delivery is written many times for each event, so it carries what it needs and no more. No foreign keys:
-- each costs a look-up and a row lock per delivery, endpoints are never removed (deleted_at) and events go
-- together with their deliveries. One index serves both the rule and the removal by event.
create table deliveries (
  id text primary key,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  resource text not null,
  sequence bigint not null,
  status text not null default 'pending',
  attempts jsonb not null default '[]',
  -- The attempts of the present series; a replay starts a new one.
  attempts_made integer not null default 0,
  attempted_at timestamptz(3),
  -- While a worker holds the row, this is the end of its lease: the row of a dead worker is due again.
  next_attempt_at timestamptz(3),
  lease_token text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The first 1,024 bytes of the answer to the last attempt.
  response text,
  constraint deliveries_one_per_event unique (event_id, webhook_id),
  constraint delivery_pending_has_time check ((status = 'pending') = (next_attempt_at is not null)),
  constraint delivery_status_known check (status in ('pending', 'delivered', 'failed'))
);

create index deliveries_newest on deliveries (webhook_id, created_at desc, id desc);
-- What the delivery worker looks for: by endpoint, and when to look again.
create index deliveries_due_by_webhook on deliveries (webhook_id, next_attempt_at, sequence) where status = 'pending';
-- Does an earlier event of the same resource still wait for its first attempt? By resource first: the claim
-- asks for it in a way that no index on the endpoint can answer, because one that lists a whole backlog
-- looked as good to a planner whose statistics were made before the backlog.
create index deliveries_unattempted_by_resource on deliveries (resource, webhook_id, sequence) where status = 'pending' and attempted_at is null;
-- Ended deliveries of an endpoint by status, in the order of the list. Pending ones have
-- deliveries_due_by_webhook and are left out, so that a delivery costs one entry, at its end.
create index deliveries_ended on deliveries (webhook_id, status, created_at desc, id desc) where status <> 'pending';

-- Endpoints with pending deliveries, and when to look for one of them that may be sent: never later than its
-- first is due, except where that one waits for an earlier event of its resource. Whoever makes a delivery
-- pending or due earlier writes this row in the same transaction; only a claim moves the time later.
create table webhook_queue (
  webhook_id text primary key,
  next_due_at timestamptz(3) not null
);

create index webhook_queue_due on webhook_queue (next_due_at);
