-- additive, no transaction
-- What retention looks for: attempts whose schedule was withdrawn.
create index concurrently if not exists attempts_withdrawn on attempts (started_at) where schedule_id is null;
