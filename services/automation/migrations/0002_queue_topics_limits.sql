-- additive
-- Endpoints with pending deliveries, and when to look for one of them that may be sent: never later than its
-- first is due, except where that one waits for an earlier event of its resource. Whoever makes a delivery
-- pending or due earlier writes this row in the same transaction; only a claim moves the time later.
create table webhook_queue (
  webhook_id text primary key,
  next_due_at timestamptz(3) not null
);

create index webhook_queue_due on webhook_queue (next_due_at);

insert into webhook_queue
select webhook_id, min(next_attempt_at) from deliveries where status = 'pending' group by webhook_id;

alter table automations
  -- Used in turn by the firings; topic_index is the place of the next one.
  add column topics text[] not null default '{}',
  add column topic_index integer not null default 0,
  add column until timestamptz(3),
  add column max_firings integer,
  add column firings_made integer not null default 0,
  -- The first firing that was skipped with nothing_new since the last that was not.
  add column nothing_new_since timestamptz(3),
  drop constraint automation_status_known,
  -- Every row fits the narrower one before.
  add constraint automation_status_known check (status in ('active', 'paused', 'ended')) not valid;

-- A firing that is published again has the same topic.
alter table firings add column topic text;
