-- additive
-- What an experiment said once each of its posts had its views or was left out, as the API answers it.
create table verdicts (
  account_id text not null,
  experiment_id text not null,
  experiment jsonb not null,
  primary key (account_id, experiment_id)
);
