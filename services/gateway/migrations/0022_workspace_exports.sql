-- additive
-- Exports of workspaces: permission to download the archive until it expires. The archive is written while it is read.
create table workspace_exports (
  id text primary key,
  account_id text not null,
  requested_by text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index workspace_exports_of_account on workspace_exports (account_id, created_at);
create index workspace_exports_expired on workspace_exports (expires_at);
