-- additive, no transaction
-- The list of posts.
create index concurrently if not exists posts_newest on published_posts (account_id, created_at desc, id desc);
