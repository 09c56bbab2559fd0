-- additive
-- When scheduling was last asked to pause or resume the posts of the workspace; null: both are known to agree.
alter table workspaces add column sending_asked_at timestamptz(3);
