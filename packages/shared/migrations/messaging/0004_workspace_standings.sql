-- additive
-- Workspaces whose deletion was requested, as the gateway last reported it. A restored workspace stays as `open` and a
-- deleted one as `deleted`, so that a delayed report with a lower revision changes nothing.
create table workspace_standings (
  account_id text primary key,
  standing text not null,
  revision integer not null,
  changed_at timestamptz(3) not null,
  constraint workspace_standing_known check (standing in ('open', 'frozen', 'deleted'))
);
