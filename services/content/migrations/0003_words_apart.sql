-- additive, no transaction
create index concurrently if not exists contents_words_apart on contents using gin (
  (to_tsvector('simple', account_id) || jsonb_to_tsvector('simple', translate(coalesce(result, '{}')::text, './@+-', '     ')::jsonb, '["string"]')));
