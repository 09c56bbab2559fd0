-- additive, no transaction
-- The same of one app: a filter that few rows pass must not read all the others.
create index concurrently if not exists contents_of_app_by_approval
  on contents (app_id, status, approval_status, created_at desc, id desc);
