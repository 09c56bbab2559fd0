-- additive, no transaction
-- For lists of what is not ready: a filter that few rows pass must not read all the others.
create index concurrently if not exists contents_not_ready on contents (account_id, status, created_at desc, id desc)
  where status <> 'ready';
