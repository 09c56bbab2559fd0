-- additive, no transaction
-- The next request of all accounts, among those that wait.
create index concurrently if not exists schedule_requests_by_turn on schedule_requests (turn, due_at) where due_at is not null;
