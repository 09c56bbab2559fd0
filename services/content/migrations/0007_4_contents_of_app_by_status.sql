-- additive, no transaction
-- For lists of one app and status: a filter that few rows pass must not read all the others.
create index concurrently if not exists contents_of_app_by_status on contents (app_id, status, created_at desc, id desc);
