-- additive
-- The span that asked for the schedule: what is done for it later goes on in its trace.
alter table schedules add column traceparent text;
