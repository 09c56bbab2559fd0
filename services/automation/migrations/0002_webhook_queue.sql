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
