-- additive, no transaction
-- For lists of one app: a filter that few rows pass must not read all the others.
create index concurrently if not exists contents_of_app on contents (app_id, created_at desc, id desc);
