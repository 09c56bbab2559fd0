-- additive, no transaction
-- Permits that have been open for longest: what scheduling compares with its schedules.
create index concurrently if not exists send_permits_open on send_permits (granted_at, schedule_id)
  where released_at is null;
