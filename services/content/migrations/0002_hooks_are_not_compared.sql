-- contract
-- Experiments with hooks are gone.
alter table contents drop column experiment_id;
