-- additive, no transaction
-- Those of a workspace that is deleted.
create index concurrently if not exists known_schedules_of_content on known_schedules (content_id);
