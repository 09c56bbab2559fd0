-- additive
-- Requested deletions. The row stays after the workspace is gone, as evidence of the deletion.
create table workspace_deletions (
  account_id text primary key,
  -- open: restored. frozen: waits for delete_at. deleted: the owners are deleting, or have deleted.
  standing text not null,
  -- Raised with every change of the standing; the owners ignore a lower one.
  revision integer not null,
  requested_by text,
  requested_at timestamptz(3) not null,
  delete_at timestamptz(3) not null,
  begun_at timestamptz(3),
  -- The rows of the gateway are gone too.
  ended_at timestamptz(3),
  constraint workspace_deletion_standing_known check (standing in ('open', 'frozen', 'deleted'))
);

create index workspace_deletions_due on workspace_deletions (delete_at) where standing = 'frozen';
create index workspace_deletions_begun on workspace_deletions (begun_at) where standing = 'deleted' and ended_at is null;

-- One row per service that keeps data of the workspace.
create table workspace_deletion_parts (
  account_id text not null references workspace_deletions (account_id) on delete cascade,
  service text not null,
  -- When the service is called next, or when the lease of a call ends; null: it has confirmed all.
  due_at timestamptz(3),
  attempts integer not null default 0,
  -- When the service first confirmed that the rows are gone. They are deleted once more a day later.
  deleted_at timestamptz(3),
  -- The last error, or what the service could not do.
  note text,
  primary key (account_id, service)
);

create index workspace_deletion_parts_due on workspace_deletion_parts (due_at) where due_at is not null;
