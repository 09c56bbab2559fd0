-- additive
-- When scheduling was last asked to pause or resume the posts of the workspace; null: both are known to agree.
alter table workspaces add column sending_asked_at timestamptz(3);
create index workspaces_sending_asked on workspaces (sending_asked_at) where sending_asked_at is not null;
