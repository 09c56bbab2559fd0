-- additive
-- In which request and span an event came to be: its deliveries go on there.
alter table feed_events add column request_id text, add column traceparent text;
