-- additive, no transaction
-- The firing of a content, for the list's filter by content.
create index concurrently if not exists firings_by_content on firings (content_id) where content_id is not null;
