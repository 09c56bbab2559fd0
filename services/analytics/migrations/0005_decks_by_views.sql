-- additive, no transaction
create index concurrently if not exists decks_by_views on decks (account_id, views desc, content_id)
  include (counted_at) where views is not null;
