-- additive, no transaction
-- For lists of one platform account: a filter that few rows pass must not read all the others.
create index concurrently if not exists schedules_of_account on schedules (platform_account_id, created_at desc, id desc);
