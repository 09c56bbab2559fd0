-- additive
-- Who made the schedule, with the name at that time. `key_id` has the id alone.
alter table schedules add column created_by jsonb;
