-- additive, no transaction
-- Creators whose consent was revoked, for the pruning of those without an account.
create index concurrently if not exists creators_revoked on creators (revoking_until) where revoking_until is not null;
