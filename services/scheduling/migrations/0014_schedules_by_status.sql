-- additive, no transaction
-- For lists of one status: a filter that few rows pass must not read all the others.
create index concurrently if not exists schedules_by_status on schedules (account_id, status, created_at desc, id desc);
