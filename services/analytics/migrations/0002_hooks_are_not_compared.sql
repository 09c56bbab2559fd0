-- contract
-- Experiments with hooks are gone. Decks that only an experiment or a rejection named go with them.
drop table verdicts;
delete from decks where approved_at is null and posted_at is null;
alter table decks
  drop column experiment_id, drop column experiment_at, drop column experiment_hours, drop column experiment_version,
  drop column experiment_views, drop column body_digest, drop column rejected_version;
