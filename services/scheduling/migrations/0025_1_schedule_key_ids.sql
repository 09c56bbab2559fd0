-- additive
-- The keys that changed a schedule, or made or changed the automation that asked for it; `key_id` made it. Null: none.
alter table schedules add column key_ids text[];
alter table schedule_requests add column key_ids text[];
