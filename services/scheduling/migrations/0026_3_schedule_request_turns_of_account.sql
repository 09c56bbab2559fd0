-- additive, no transaction
-- The last turn that an account has, however many of its requests were answered.
create index concurrently if not exists schedule_request_turns_of_account on schedule_requests (account_id, turn) where due_at is not null;
