-- additive, no transaction
create index concurrently if not exists schedule_requests_of_account on schedule_requests (account_id);
