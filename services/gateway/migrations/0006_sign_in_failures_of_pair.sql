-- additive, no transaction
-- How often a pair failed in the last 15 minutes, newest first.
create index concurrently if not exists sign_in_failures_of_pair on sign_in_failures (pair_hash, failed_at);
