-- additive, no transaction
-- The approval queue, its count, and lists by decision. Not partial: the planner counts `contents_approval` only for columns.
create index concurrently if not exists contents_by_approval
  on contents (account_id, status, approval_status, created_at desc, id desc);
