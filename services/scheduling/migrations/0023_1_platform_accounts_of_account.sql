-- additive, no transaction
-- The accounts of a workspace that is deleted, with those that were disconnected.
create index concurrently if not exists platform_accounts_of_account on platform_accounts (account_id);
