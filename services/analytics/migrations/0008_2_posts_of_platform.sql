-- additive, no transaction
-- The same of one platform: a filter that few rows pass must not read all the others.
create index concurrently if not exists posts_of_platform on published_posts (account_id, platform, created_at desc, id desc);
