-- additive
-- For lists of one app, and of what is not ready: a filter that few rows pass must not read all the others.
create index contents_of_app on contents (app_id, created_at desc, id desc);
create index contents_not_ready on contents (account_id, status, created_at desc, id desc) where status <> 'ready';
