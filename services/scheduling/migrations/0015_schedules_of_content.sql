-- additive, no transaction
-- For lists of one content, and for what waits for it.
create index concurrently if not exists schedules_of_content on schedules (content_id, created_at desc, id desc);
