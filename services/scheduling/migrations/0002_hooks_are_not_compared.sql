-- contract
-- Experiments with hooks are gone.
alter table schedules drop column slides_digest, drop column is_compared;
