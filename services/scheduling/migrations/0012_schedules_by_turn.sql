-- additive, no transaction
-- The last turn that was given to a creator's waiting schedules, however many there are.
create index concurrently if not exists schedules_by_turn on schedules (platform_account_id, due_at) where status = 'pending';
