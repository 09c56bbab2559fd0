-- additive, no transaction
-- The keys that a member minted in a workspace.
create index concurrently if not exists api_keys_of_creator on api_keys (account_id, created_by, created_at desc, id desc);
