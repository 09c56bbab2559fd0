-- additive, no transaction
-- The same of one platform account.
create index concurrently if not exists schedules_of_account_by_time on schedules (platform_account_id, scheduled_for, id);
