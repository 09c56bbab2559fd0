-- additive, no transaction
-- For lists of what is ready, in an account whose contents mostly failed.
create index concurrently if not exists contents_ready on contents (account_id, created_at desc, id desc)
  where status = 'ready';
