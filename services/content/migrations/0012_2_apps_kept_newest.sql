-- additive, no transaction
-- The list of apps, without those that were deleted.
create index concurrently if not exists apps_kept_newest on apps (account_id, created_at desc, id desc)
where deleted_at is null;
